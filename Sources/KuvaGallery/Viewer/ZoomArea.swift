import CGTK
import KuvaCore
import KuvaGTK
import KuvaPipeline
import KuvaUI

/// One picture, as large as its place or larger: zooms with the wheel, the keys, a pinch or a double click, and is
/// dragged about when it stands over.
@MainActor
final class ZoomArea {
    /// The scrolled window.
    let widget: Widget
    let imageView: ImageView

    /// How much larger than its place the picture is shown; 1 for all of it.
    private(set) var factor = 1.0

    private let horizontal: UnsafeMutablePointer<GtkAdjustment>
    private let vertical: UnsafeMutablePointer<GtkAdjustment>
    private var dragStart = (x: 0.0, y: 0.0)
    private var pinchStart = 1.0

    private static let largest = 16.0

    init(manager: ImageManager) {
        imageView = ImageView(manager: manager)
        imageView.showsIndicator = true
        imageView.indicatorStyle = .progressRing
        imageView.enabledActions = .contextMenu
        widget = gtk_scrolled_window_new()
        gtk_scrolled_window_set_child(widget.opaque, imageView.widget.assumingMemoryBound(to: GtkWidget.self))
        gtk_scrolled_window_set_kinetic_scrolling(widget.opaque, 0)
        horizontal = gtk_scrolled_window_get_hadjustment(widget.opaque)
        vertical = gtk_scrolled_window_get_vadjustment(widget.opaque)
        gtk_widget_set_hexpand(widget, 1)
        gtk_widget_set_vexpand(widget, 1)
        addGestures()
        fit()
    }

    /// All of the picture.
    func fit() { zoom(to: 1, at: nil) }

    /// Closer or farther, around the middle or a point of the area.
    func zoom(by change: Double, at point: (x: Double, y: Double)? = nil) { zoom(to: factor * change, at: point) }

    private func zoom(to wanted: Double, at point: (x: Double, y: Double)?) {
        let old = factor
        factor = min(Self.largest, max(1, wanted))
        let picture = imageView.widget.assumingMemoryBound(to: GtkWidget.self)
        let isFit = factor < 1.001
        let policy = isFit ? GTK_POLICY_NEVER : GTK_POLICY_AUTOMATIC
        gtk_scrolled_window_set_policy(widget.opaque, policy, policy)
        guard !isFit, let size = fittedSize else {
            factor = 1
            return gtk_widget_set_size_request(picture, -1, -1)
        }
        gtk_widget_set_size_request(picture, Int32(size.width * factor), Int32(size.height * factor))
        let place = (width: Double(gtk_widget_get_width(widget)), height: Double(gtk_widget_get_height(widget)))
        let point = point ?? (place.width / 2, place.height / 2)
        move(horizontal, keeping: point.x, length: size.width, place: place.width, from: old)
        move(vertical, keeping: point.y, length: size.height, place: place.height, from: old)
    }

    /// Keeps what is under a point there while the picture grows or shrinks.
    private func move(
        _ adjustment: UnsafeMutablePointer<GtkAdjustment>,
        keeping point: Double,
        length: Double,
        place: Double,
        from old: Double
    ) {
        let margin = max(0, (place - length * old) / 2)
        let part = (gtk_adjustment_get_value(adjustment) + point - margin) / (length * old)
        let upper = max(place, length * factor)
        let newMargin = max(0, (place - length * factor) / 2)
        let value = min(max(0, part * length * factor + newMargin - point), upper - place)
        gtk_adjustment_configure(adjustment, value, 0, upper, 32, place * 0.9, place)
    }

    /// The size of the picture where all of it is seen, in points.
    private var fittedSize: (width: Double, height: Double)? {
        let (width, height) = (Double(gtk_widget_get_width(widget)), Double(gtk_widget_get_height(widget)))
        guard let image = imageView.image, image.width > 0, image.height > 0, width > 0, height > 0 else { return nil }
        let scale = min(width / image.width, height / image.height)
        return (image.width * scale, image.height * scale)
    }

    private func addGestures() {
        if let drag = gtk_gesture_drag_new() {
            let raw = UnsafeMutableRawPointer(drag)
            Signal.connect(raw, "drag-begin") { [weak self] in
                guard let self else { return }
                dragStart = (gtk_adjustment_get_value(horizontal), gtk_adjustment_get_value(vertical))
            }
            Signal.connect(raw, "drag-update") { [weak self] in
                guard let self else { return }
                var (x, y) = (0.0, 0.0)
                gtk_gesture_drag_get_offset(drag, &x, &y)
                gtk_adjustment_set_value(horizontal, dragStart.x - x)
                gtk_adjustment_set_value(vertical, dragStart.y - y)
            }
            gtk_widget_add_controller(widget, drag)
        }
        if let click = gtk_gesture_click_new() {
            Signal.connect(UnsafeMutableRawPointer(click), "pressed") { [weak self] (count: Int32) in
                guard count == 2, let self else { return }
                var (x, y) = (0.0, 0.0)
                gtk_gesture_get_point(click, nil, &x, &y)
                if factor > 1 { fit() } else { zoom(by: 3, at: (x, y)) }
            }
            gtk_widget_add_controller(widget, click)
        }
        if let pinch = gtk_gesture_zoom_new() {
            let raw = UnsafeMutableRawPointer(pinch)
            Signal.connect(raw, "begin") { [weak self] in self?.pinchStart = self?.factor ?? 1 }
            Signal.connect(raw, "scale-changed") { [weak self] in
                guard let self else { return }
                var (x, y) = (0.0, 0.0)
                gtk_gesture_get_bounding_box_center(pinch, &x, &y)
                zoom(to: pinchStart * gtk_gesture_zoom_get_scale_delta(pinch), at: (x, y))
            }
            gtk_widget_add_controller(widget, pinch)
        }
        if let scroll = gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_VERTICAL) {
            gtk_event_controller_set_propagation_phase(scroll, GTK_PHASE_CAPTURE)
            Signal.connect(
                UnsafeMutableRawPointer(scroll),
                "scroll",
                deciding: { [weak self] _, distance in
                    self?.zoom(by: distance > 0 ? 0.85 : 1 / 0.85)
                    return true
                }
            )
            gtk_widget_add_controller(widget, scroll)
        }
    }
}
