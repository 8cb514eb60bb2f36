import CGTK
import KuvaCore
import KuvaGTK
import KuvaPipeline
import KuvaUI

/// The page for one picture at a time, with ways to the next and the previous one.
@MainActor
final class Viewer {
    /// The page.
    let widget: Widget
    let area: ZoomArea

    /// Called when another picture is shown, or this one has come or failed.
    var onChange: @MainActor () -> Void = {}

    /// Which picture it is; `nil` while the page is closed.
    private(set) var index: Int?
    /// How its load ended; `nil` while it runs.
    private(set) var result: ImageBinding.Outcome?

    private let gallery: Gallery
    private let previous: Widget
    private let next: Widget
    private let failure: Widget
    private let reason = Make.label("", "title-2")
    private let message = Make.text("")
    private let icon: Widget = gtk_image_new_from_icon_name("image-missing-symbolic")

    init(gallery: Gallery, manager: ImageManager) {
        self.gallery = gallery
        area = ZoomArea(manager: manager)
        previous = Make.button(icon: "go-previous-symbolic", tooltip: "Previous (←)", action: "app.previous")
        next = Make.button(icon: "go-next-symbolic", tooltip: "Next (→)", action: "app.next")
        let retry = gtk_button_new_with_label("Try Again").styled("pill")
        gtk_actionable_set_action_name(retry.opaque, "app.reload")
        gtk_widget_set_halign(retry, GTK_ALIGN_CENTER)
        gtk_label_set_justify(message.opaque, GTK_JUSTIFY_CENTER)
        gtk_label_set_max_width_chars(message.opaque, 60)
        failure = Make.box(GTK_ORIENTATION_VERTICAL, spacing: 12, [icon, reason, message, retry]).styled("failure")
        gtk_widget_set_halign(failure, GTK_ALIGN_CENTER)
        gtk_widget_set_valign(failure, GTK_ALIGN_CENTER)
        widget = gtk_overlay_new().styled("viewer")
        gtk_overlay_set_child(widget.opaque, area.widget)
        for (button, side) in [(previous, GTK_ALIGN_START), (next, GTK_ALIGN_END)] {
            gtk_widget_set_halign(button, side)
            gtk_widget_set_valign(button, GTK_ALIGN_CENTER)
            button.styled("osd", "circular")
            gtk_overlay_add_overlay(widget.opaque, button)
        }
        gtk_overlay_add_overlay(widget.opaque, failure)
        gtk_widget_set_focusable(widget, 1)
        area.imageView.takeMenuKey(of: widget.raw)
        Make.keys(
            widget,
            [
                ("Left|Page_Up|BackSpace", "app.previous"), ("Right|Page_Down|space", "app.next"),
                ("plus|equal|KP_Add", "app.zoom-in"), ("minus|KP_Subtract", "app.zoom-out"),
                ("0|KP_0", "app.zoom-fit"), ("i", "app.info"), ("Escape", "app.back"),
            ]
        )
    }

    /// Whether the picture is on its way.
    var isSettled: Bool { index == nil || result != nil && !area.imageView.imageBinding.isLoading }

    /// Shows a picture of the gallery; the small one from the grid first, if it is in memory.
    func show(_ index: Int, isFresh: Bool = false) {
        guard gallery.items.indices.contains(index) else { return }
        let isOther = index != self.index
        self.index = index
        result = nil
        failure.setVisible(false)
        gtk_widget_set_sensitive(previous, index > 0 ? 1 : 0)
        gtk_widget_set_sensitive(next, index + 1 < gallery.items.count ? 1 : 0)
        if isOther { area.fit() }
        area.imageView.accessibleName = gallery.items[index].name
        switch gallery.request(index) {
        case .failure(let error): ended(index, .failure(error))
        case .success(var request):
            request.priority = .veryHigh
            if isFresh {
                request.cachePolicy = .reload
                request.retriesFailed = true
            }
            let options = ViewLoadOptions(
                whileLoading: isOther ? .placeholder : .currentImage,
                transition: ImageTransition(.crossfade, duration: .milliseconds(150)),
                showsPreviews: true
            )
            area.imageView.setImage(request, options: options) { [weak self] in self?.ended(index, $0) }
        }
        onChange()
    }

    /// Shows nothing, and loads nothing.
    func close() {
        index = nil
        result = nil
        area.imageView.show(nil)
        area.fit()
    }

    private func ended(_ index: Int, _ result: ImageBinding.Outcome) {
        guard index == self.index else { return }
        if case .failure(let error) = result {
            if error.isCancellation { return }
            area.imageView.show(nil)
            gtk_image_set_from_icon_name(icon.opaque, Words.icon(error))
            gtk_label_set_text(reason.opaque, Words.shortReason(error))
            gtk_label_set_text(message.opaque, Words.sentence(error))
            failure.setVisible(true)
        }
        self.result = result
        onChange()
    }
}
