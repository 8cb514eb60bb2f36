import CGTK
import KuvaCore
import KuvaGTK
import KuvaPipeline
import KuvaUI

/// A cell of the grid: a neutral card, a spinner on it while its picture loads, the picture cropped to the card, or the
/// reason why there is none. The grid uses it for one picture after another.
@MainActor
final class Cell {
    /// What the grid puts into its list item.
    let widget: Widget

    private let gallery: Gallery
    private let view: ImageView
    private let failure: Widget
    private let reason: Widget
    private let name: Widget
    private let card: Widget
    private var index: Int?

    init(gallery: Gallery, manager: ImageManager, width: Int32) {
        self.gallery = gallery
        // An empty picture of 4:3 gives the card its height, whatever width the grid gives it.
        let shape = gdk_paintable_new_empty(4 * width, 3 * width)
        card = gtk_picture_new_for_paintable(shape)
        g_object_unref(UnsafeMutableRawPointer(shape))
        gtk_widget_set_size_request(card, width, -1)
        view = ImageView(manager: manager)
        view.contentFit = .cover
        view.showsIndicator = true
        reason = Make.label("", "heading")
        name = Make.label("", "name")
        failure = Make.box(
            GTK_ORIENTATION_VERTICAL,
            spacing: 4,
            [gtk_image_new_from_icon_name("image-missing-symbolic"), reason, name]
        ).styled("failure")
        gtk_widget_set_valign(failure, GTK_ALIGN_CENTER)
        widget = gtk_overlay_new().styled("cell")
        gtk_widget_set_overflow(widget, GTK_OVERFLOW_HIDDEN)
        gtk_overlay_set_child(widget.opaque, card)
        gtk_overlay_add_overlay(widget.opaque, view.widget.assumingMemoryBound(to: GtkWidget.self))
        gtk_overlay_add_overlay(widget.opaque, failure)
        gtk_widget_set_visible(failure, 0)
    }

    /// The width that the card asks for; the grid gives it that or more.
    func setWidth(_ width: Int32) { gtk_widget_set_size_request(card, width, -1) }

    /// Whether the cell is in view and its picture on its way.
    var isLoading: Bool { index != nil && view.isLoading && gtk_widget_get_mapped(widget) != 0 }

    /// Shows a picture of the gallery.
    ///
    /// - Parameter isFresh: whether it comes from its source, not from a cache.
    func bind(_ index: Int, isFresh: Bool) {
        self.index = index
        let item = gallery.items[index]
        gtk_widget_set_tooltip_text(widget, item.name)
        gtk_widget_set_visible(failure, 0)
        gtk_widget_remove_css_class(widget, "loaded")
        switch item.request {
        case .failure(let error):
            view.show(nil)
            show(error)
        case .success(var request):
            request.retriesFailed = isFresh
            let start = ContinuousClock.now
            let options = ViewLoadOptions(cachePolicy: isFresh ? .reload : .standard)
            view.setImage(request, options: options) { [weak self, gallery] result in
                self?.ended(index, result)
                gallery.ended(index, result, after: ContinuousClock.now - start)
            }
        }
    }

    /// Shows nothing, and loads nothing.
    func unbind() {
        index = nil
        view.show(nil)
    }

    private func ended(_ index: Int, _ result: Result<ImageResponse, ImageError>) {
        guard index == self.index else { return }
        switch result {
        case .success: gtk_widget_add_css_class(widget, "loaded")
        case .failure(let error): if !error.isCancellation { show(error) }
        }
    }

    private func show(_ error: ImageError) {
        gtk_label_set_text(reason.opaque, Words.shortReason(error))
        if let index { gtk_label_set_text(name.opaque, gallery.items[index].name) }
        gtk_widget_set_tooltip_text(widget, error.description)
        gtk_widget_set_visible(failure, 1)
    }
}
