internal import CGTK
public import Kuva
public import KuvaCore
internal import KuvaMainLoop
public import KuvaPipeline
public import KuvaUI

/// A `GtkPicture` that loads its pictures from the web.
///
/// ```swift
/// let view = ImageView()
/// gtk_box_append(box, view.widget.assumingMemoryBound(to: GtkWidget.self))
/// view.setImage(from: url, placeholder: grey)
/// ```
///
/// Widgets go in and out as pointers, so that it works with GTK's own functions and with any binding. The widget keeps
/// the view alive, and the view ends with the widget: a load that runs then is cancelled, and its completion is called.
/// So a program may drop the view once its widget is in a window.
///
/// Pictures are decoded to the size in which the widget shows them, in device pixels, and again if that grows much. A
/// widget that has no size yet is waited for.
@MainActor
public final class ImageView {
    /// The `GtkWidget` to put into a window: the picture itself if it was adopted, otherwise a `GtkOverlay` with it. A
    /// new one is floating, as every new GTK widget is. Valid while ``isAlive``.
    public let widget: UnsafeMutableRawPointer

    /// The `GtkPicture`. Valid while ``isAlive``.
    public let picture: UnsafeMutableRawPointer

    /// Whether the widget exists still.
    public private(set) var isAlive = true

    /// Whether a spinner turns while a picture loads; `false` by default. An adopted picture has no place for one.
    public var showsIndicator = false {
        didSet { if isAlive { updateIndicator() } }
    }

    /// Whether a picture is loading, or waits for the view to be laid out.
    public private(set) var isLoading = false

    /// The picture that is shown, a placeholder included.
    public private(set) var image: Image?

    let manager: ImageManager
    let paintable = Paintable()
    lazy var binding = ImageBinding(view: self, manager: manager)
    var sizing = Sizing()
    private var spinner: UnsafeMutablePointer<GtkWidget>?

    /// Makes a view with a picture of its own, which keeps its proportions and may get smaller than its picture.
    ///
    /// - Parameter manager: who loads.
    public convenience init(manager: ImageManager = .shared) {
        let overlay = gtk_overlay_new()!
        let picture = gtk_picture_new()!
        gtk_overlay_set_child(OpaquePointer(overlay), picture)
        self.init(widget: UnsafeMutableRawPointer(overlay), picture: UnsafeMutableRawPointer(picture), manager: manager)
    }

    /// The view of a `GtkPicture` that exists already: the same one each time.
    ///
    /// - Parameters:
    ///   - picture: a `GtkPicture`; anything else is a programming error.
    ///   - manager: who loads, if there is no view of this picture yet.
    public static func adopting(
        _ picture: UnsafeMutableRawPointer,
        manager: ImageManager = .shared
    ) -> ImageView {
        if let known = g_object_get_data(picture.assumingMemoryBound(to: GObject.self), dataKey) {
            return Unmanaged<ImageView>.fromOpaque(known).takeUnretainedValue()
        }
        return ImageView(widget: picture, picture: picture, manager: manager)
    }

    private init(widget: UnsafeMutableRawPointer, picture: UnsafeMutableRawPointer, manager: ImageManager) {
        let instance = picture.assumingMemoryBound(to: GTypeInstance.self)
        precondition(
            g_type_check_instance_is_a(instance, gtk_picture_get_type()) != 0,
            "an ImageView needs a GtkPicture"
        )
        self.widget = widget
        self.picture = picture
        self.manager = manager
        MainLoop.attach()
        let reference = Unmanaged.passUnretained(self)
        paintable.observe(reference.toOpaque()) { owner in
            guard let owner else { return }
            // Unsafe: GTK draws on the main thread, and there the view stays.
            nonisolated(unsafe) let view = owner
            MainActor.assumeIsolated { Unmanaged<ImageView>.fromOpaque(view).takeUnretainedValue().wasDrawn() }
        }
        g_object_set_data_full(
            picture.assumingMemoryBound(to: GObject.self),
            Self.dataKey,
            reference.retain().toOpaque(),
            { data in
                guard let data else { return }
                // Unsafe: GTK ends its widgets on the main thread, and there the view stays.
                nonisolated(unsafe) let view = data
                MainActor.assumeIsolated {
                    let view = Unmanaged<ImageView>.fromOpaque(view).takeRetainedValue()
                    view.widgetIsGone()
                }
            }
        )
    }

    /// Under which a picture keeps its view.
    private static let dataKey = "kuva-image-view"

    private func widgetIsGone() {
        isAlive = false
        paintable.stopObserving()
        sizing = Sizing()
        spinner = nil
        binding.cancel()
    }
}

extension ImageView: ImageDisplaying {
    /// Shows a picture, or nothing, in place of what is shown. A load that runs goes on; see ``show(_:)``.
    public func display(_ image: Image?) {
        guard isAlive else { return }
        let isSame = image?.pixels === self.image?.pixels && image?.scale == self.image?.scale
        self.image = image
        // Without a picture there is no paintable either, since GtkPicture takes 16 pixels for an empty one.
        let paintable = image == nil ? nil : OpaquePointer(paintable.pointer)
        if gtk_picture_get_paintable(OpaquePointer(picture)) != paintable {
            gtk_picture_set_paintable(OpaquePointer(picture), paintable)
        }
        if !isSame { self.paintable.show(image) }
    }

    /// Whether anything is shown, a placeholder included.
    public var isDisplayingImage: Bool { image != nil }

    /// Turns the spinner while something loads, if ``showsIndicator`` is set.
    public func setLoading(_ isLoading: Bool) {
        guard isAlive, !sizing.isRefining else { return }
        self.isLoading = isLoading
        updateIndicator()
    }

    private func updateIndicator() {
        let isShown = isLoading && showsIndicator && widget != picture
        if isShown, spinner == nil, let made = gtk_spinner_new() {
            gtk_widget_set_halign(made, GTK_ALIGN_CENTER)
            gtk_widget_set_valign(made, GTK_ALIGN_CENTER)
            gtk_widget_set_size_request(made, 24, 24)
            gtk_widget_set_can_target(made, 0)
            gtk_overlay_add_overlay(OpaquePointer(widget), made)
            spinner = made
        }
        guard let spinner else { return }
        gtk_spinner_set_spinning(OpaquePointer(spinner), isShown ? 1 : 0)
        gtk_widget_set_visible(spinner, isShown ? 1 : 0)
    }
}
