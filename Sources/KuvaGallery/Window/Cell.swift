import CGTK
import KuvaCore
import KuvaGTK
import KuvaPipeline
import KuvaUI

/// A cell of the grid: a neutral card, a spinner on it while its picture loads, the picture cropped to the card, or the
/// reason why there is none. The grid uses it for one picture after another.
@MainActor
final class Cell: RowListening {
    /// What the grid puts into its list item.
    let widget: UnsafeMutableRawPointer
    let imageView: ImageView

    private let gallery: Gallery
    private let failure: Widget
    private let icon: Widget
    private let reason: Widget
    private let name: Widget
    private let retry: Widget
    private let card: Widget
    private let caption: Widget
    private var index: Int?
    /// Whether the list has not told yet how the load of the row has ended.
    private var isWaiting = false
    private var start = ContinuousClock.now

    init(gallery: Gallery, manager: ImageManager, width: Int, onRetry: @escaping @MainActor (Int) -> Void) {
        self.gallery = gallery
        // An empty picture of 4:3 gives the card its height, whatever width the grid gives it.
        let shape = gdk_paintable_new_empty(Int32(4 * width), Int32(3 * width))
        card = gtk_picture_new_for_paintable(shape)
        g_object_unref(UnsafeMutableRawPointer(shape))
        imageView = ImageView(manager: manager)
        // The card has the size.
        imageView.followsPictureSize = false
        imageView.contentFit = .cover
        imageView.showsIndicator = true
        imageView.enabledActions = .all
        icon = gtk_image_new_from_icon_name("image-missing-symbolic")
        reason = Make.label("", "heading")
        name = Make.label("", "name")
        retry = gtk_button_new_with_label("Try Again")
        gtk_widget_set_halign(retry, GTK_ALIGN_CENTER)
        failure = Make.box(GTK_ORIENTATION_VERTICAL, spacing: 4, [icon, reason, name, retry]).styled("failure")
        gtk_widget_set_valign(failure, GTK_ALIGN_CENTER)
        caption = Make.label("", "caption")
        gtk_label_set_xalign(caption.opaque, 0)
        gtk_widget_set_valign(caption, GTK_ALIGN_END)
        gtk_widget_set_can_target(caption, 0)
        let overlay: Widget = gtk_overlay_new().styled("cell")
        widget = overlay.raw
        gtk_widget_set_overflow(overlay, GTK_OVERFLOW_HIDDEN)
        gtk_overlay_set_child(overlay.opaque, card)
        for child in [imageView.widget.assumingMemoryBound(to: GtkWidget.self), caption, failure] {
            gtk_overlay_add_overlay(overlay.opaque, child)
        }
        failure.setVisible(false)
        setWidth(width)
        Signal.connect(retry.raw, "clicked") { [weak self] in
            if let index = self?.index { onRetry(index) }
        }
    }

    /// The width that the card asks for; the grid gives it that or more.
    func setWidth(_ width: Int) { gtk_widget_set_size_request(card, Int32(width), -1) }

    /// Whether the cell is in view and its picture on its way.
    var isLoading: Bool {
        index != nil && (isWaiting || imageView.imageBinding.isLoading)
            && gtk_widget_get_mapped(widget.assumingMemoryBound(to: GtkWidget.self)) != 0
    }

    func bind(_ position: Int) {
        index = position
        start = ContinuousClock.now
        isWaiting = true
        let item = gallery.items[position]
        let widget = widget.assumingMemoryBound(to: GtkWidget.self)
        gtk_widget_set_tooltip_text(widget, item.name)
        gtk_label_set_text(caption.opaque, item.name)
        imageView.accessibleName = item.name
        failure.setVisible(false)
        gtk_widget_remove_css_class(widget, "loaded")
        if case .failure(let error) = gallery.request(position) {
            isWaiting = false
            show(error)
        }
    }

    func loadEnded(_ position: Int, _ result: ImageBinding.Outcome) {
        isWaiting = false
        gallery.ended(position, result, after: ContinuousClock.now - start)
        switch result {
        case .success:
            failure.setVisible(false)
            gtk_widget_add_css_class(widget.assumingMemoryBound(to: GtkWidget.self), "loaded")
        case .failure(let error): if !error.isCancellation { show(error) }
        }
    }

    func unbind() { index = nil }

    private func show(_ error: ImageError) {
        guard let index else { return }
        let widget = widget.assumingMemoryBound(to: GtkWidget.self)
        gtk_image_set_from_icon_name(icon.opaque, Words.icon(error))
        gtk_label_set_text(reason.opaque, Words.shortReason(error))
        gtk_label_set_text(name.opaque, gallery.items[index].name)
        gtk_widget_set_tooltip_text(widget, error.description)
        gtk_widget_remove_css_class(widget, "loaded")
        retry.setVisible(Words.isWorthRetrying(error))
        failure.setVisible(true)
    }
}
