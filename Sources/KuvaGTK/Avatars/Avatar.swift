internal import CGTK
public import FoundationEssentials
public import Kuva
internal import KuvaCore
public import KuvaPipeline
public import KuvaUI

/// The round picture of a person; until it is there, or if there is none, the person's initials on a colour of their
/// own.
@MainActor
public final class Avatar {
    /// The `GtkWidget` to put into a window; floating when new.
    public let widget: UnsafeMutableRawPointer

    /// What shows the picture: for options, states and completions that the avatar has no methods for.
    public let imageView: ImageView

    /// The name of the person, of whom the initials are, and as which the avatar is read out.
    public var name: String {
        didSet { if name != oldValue { nameChanged() } }
    }

    private let label: UnsafeMutableRawPointer
    private var colourClass: String?

    /// - Parameters:
    ///   - size: the diameter in points.
    ///   - manager: who loads.
    public init(size: Int, name: String = "", manager: ImageManager = .shared) {
        self.name = name
        let overlay = gtk_overlay_new()!
        let label = gtk_label_new(nil)!
        widget = overlay.raw
        self.label = label.raw
        imageView = ImageView(manager: manager)
        imageView.contentFit = .cover
        let side = Int32(clamping: max(1, size))
        gtk_widget_set_size_request(overlay, side, side)
        gtk_widget_set_halign(overlay, GTK_ALIGN_CENTER)
        gtk_widget_set_valign(overlay, GTK_ALIGN_CENTER)
        gtk_widget_set_overflow(overlay, GTK_OVERFLOW_HIDDEN)
        gtk_widget_set_size_request(imageView.widget.asWidget, side, side)
        gtk_overlay_set_child(overlay.opaque, label)
        gtk_overlay_add_overlay(overlay.opaque, imageView.widget.asWidget)
        AvatarStyle.apply(to: gtk_widget_get_display(overlay))
        gtk_widget_add_css_class(overlay, "kuva-avatar")
        let attributes = pango_attr_list_new()
        // Two capitals fill about half of the circle.
        pango_attr_list_insert(attributes, pango_attr_size_new_absolute(side * 2 / 5 * PANGO_SCALE))
        gtk_label_set_attributes(label.opaque, attributes)
        pango_attr_list_unref(attributes)
        nameChanged()
    }

    /// Loads the picture; it fades in over the initials. With `nil` the initials are shown.
    public func setImage(from url: URL?, completion: ImageBinding.Completion? = nil) {
        let options = ViewLoadOptions(transition: ImageTransition(.crossfade, duration: .milliseconds(200)))
        imageView.setImage(from: url, options: options, completion: completion)
    }

    /// Ends the load that runs.
    public func cancelLoad() { imageView.cancelLoad() }

    private func nameChanged() {
        guard imageView.isAlive else { return }
        gtk_label_set_text(label.opaque, Initials.letters(of: name))
        if let colourClass { gtk_widget_remove_css_class(widget.asWidget, colourClass) }
        let colour = "kuva-avatar-\(Initials.colourIndex(of: name, count: AvatarStyle.colours.count))"
        gtk_widget_add_css_class(widget.asWidget, colour)
        colourClass = colour
        imageView.accessibleName = name
    }
}
