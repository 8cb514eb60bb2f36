internal import CGTK
public import Kuva
public import KuvaCore
public import KuvaPipeline
public import KuvaUI

/// A `GtkPicture` or `GtkImage` that loads its pictures from the web.
///
/// ```swift
/// let view = ImageView()
/// gtk_box_append(box, view.widget.assumingMemoryBound(to: GtkWidget.self))
/// view.setImage(from: url, placeholder: grey)
/// ```
///
/// Widgets go in and out as pointers, so that it works with GTK's own functions and with any binding. What was adopted
/// is the view's ``ImageWidget/widget`` itself; otherwise that is a `GtkOverlay` with the picture in it.
///
/// Pictures are decoded to the size in which the widget shows them, in device pixels, and again if that changes much. A
/// widget that has no size yet is waited for.
@MainActor
public final class ImageView: ImageWidget, ImageLoadingView {
    /// The `GtkPicture` or `GtkImage`. Valid while ``isAlive``.
    public var picture: UnsafeMutableRawPointer { surface.widget }

    /// What ties the view to its pictures.
    public private(set) lazy var imageBinding = ImageBinding(view: self, manager: manager)

    /// Whether the picture of the slot ``ImageSlot/highlightedImage`` is shown, if there is one; `false` by default.
    public var isHighlighted = false {
        didSet { if isHighlighted != oldValue { showCurrent() } }
    }

    let surface: PictureSurface
    /// What it is called for people who do not see it.
    var name = ""
    /// What makes the view highlighted by itself.
    var highlightTrigger: HighlightTriggers?
    /// What the user can do with the picture.
    var actions: ImageActions?
    /// Which pictures there are.
    private var images: [ImageSlot: Image] = [:]
    /// Called after the picture of the slot ``ImageSlot/image`` was shown, changed or not.
    var onDisplay: (@MainActor (Image?) -> Void)?
    /// Called once, when the widget is gone.
    var onEnd: (@MainActor () -> Void)?

    /// Makes a view with a `GtkPicture` of its own, which keeps its proportions and may get smaller than its picture.
    ///
    /// - Parameter manager: who loads.
    public convenience init(manager: ImageManager = .shared) {
        let overlay = gtk_overlay_new()!
        let picture = gtk_picture_new()!
        gtk_overlay_set_child(overlay.opaque, picture)
        self.init(widget: overlay.raw, picture: picture.raw, manager: manager)
    }

    /// The view of a `GtkPicture` or `GtkImage` that exists already: the same one each time.
    ///
    /// An indicator has a place only if the widget's parent is a `GtkOverlay` by the time it is needed.
    ///
    /// - Parameters:
    ///   - picture: a `GtkPicture` or a `GtkImage`; anything else is a programming error.
    ///   - manager: who loads, if there is no view of this widget yet.
    public static func adopting(
        _ picture: UnsafeMutableRawPointer,
        manager: ImageManager = .shared
    ) -> ImageView {
        if let known = Companions.find(dataKey, of: picture) as? ImageView { return known }
        return ImageView(widget: picture, picture: picture, manager: manager)
    }

    private init(widget: UnsafeMutableRawPointer, picture: UnsafeMutableRawPointer, manager: ImageManager) {
        surface = PictureSurface(picture, host: widget)
        let indicators = IndicatorPlace {
            if widget != picture { return widget }
            guard let parent = gtk_widget_get_parent(picture.asWidget)?.raw else { return nil }
            return parent.isInstance(of: gtk_overlay_get_type()) ? parent : nil
        }
        super.init(widget: widget, surfaces: [surface], indicators: indicators, manager: manager)
        surface.serve(self) { [weak self] in self?.currentSlot ?? .image }
        Companions.attach(self, to: picture, key: Self.dataKey)
    }

    /// Under which a widget keeps its view.
    private static let dataKey = "kuva-image-view"

    /// How pictures of other proportions meet the view. A `GtkImage` always shows the whole of them.
    public var contentFit: ContentFit {
        get { isAlive ? surface.contentFit : .contain }
        set { if isAlive { surface.contentFit = newValue } }
    }

    /// Whether the widget wants to be as large as its picture, as a `GtkPicture` does; `true` by default.
    ///
    /// With `false` its size comes from elsewhere alone: from `gtk_widget_set_size_request`, from what it may expand to,
    /// from an overlay that it lies on. Then a picture that comes or goes only draws, and never makes GTK lay out the
    /// window anew. A `GtkImage` always has the size of its icons. Set it before ``contentFit``, or that through this
    /// view, which draws the picture accordingly.
    public var followsPictureSize: Bool {
        get { surface.followsPicture }
        set { if isAlive { surface.followsPicture = newValue } }
    }

    /// Whether a picture is loading, or waits for the view to be laid out.
    public var isLoading: Bool { indicators.isLoading }

    /// The picture of the view, a placeholder included.
    public var image: Image? { images[.image] }

    /// What is seen: the picture, or the highlighted one.
    public var currentImage: Image? { surface.image }

    /// Which of the slots is seen.
    public var currentSlot: ImageSlot {
        isHighlighted && images[.highlightedImage] != nil ? .highlightedImage : .image
    }

    // MARK: What a binding asks for

    /// Shows a picture, or nothing, in place of what is shown. A load that runs goes on; see `show(_:in:)`.
    public func display(_ image: Image?, in slot: ImageSlot) {
        guard isAlive else { return }
        images[known(slot)] = image
        showCurrent()
    }

    /// Shows a picture with a transition.
    public func display(
        _ image: Image,
        in slot: ImageSlot,
        with transition: ImageTransition,
        completion: @escaping @MainActor (Bool) -> Void
    ) {
        guard isAlive else { return completion(false) }
        images[known(slot)] = image
        guard currentSlot == known(slot) else { return completion(true) }
        surface.show(image, with: transition, completion: completion)
        pictureChanged()
        if currentSlot == .image { onDisplay?(image) }
    }

    /// What is shown in a slot, a placeholder included.
    public func displayedImage(in slot: ImageSlot) -> Image? { images[known(slot)] }

    /// Shows the indicator while something loads, if ``showsIndicator`` is set, and tells assistive technology.
    public func setLoading(_ isLoading: Bool, in slot: ImageSlot) {
        guard isAlive, known(slot) == .image else { return }
        indicators.setLoading(isLoading)
        Accessibility.setBusy(isLoading, picture)
    }

    /// Shows the progress of the picture.
    public func setProgress(_ progress: LoadProgress, in slot: ImageSlot) {
        if known(slot) == .image { indicators.setProgress(progress) }
    }

    /// The size in which the view shows pictures, in device pixels; unknown until it has been laid out, unless both
    /// sides were requested by `gtk_widget_set_size_request`.
    public func pictureSize(in slot: ImageSlot) -> PictureSize { isAlive ? surface.pictureSize() : .natural }

    private func known(_ slot: ImageSlot) -> ImageSlot { slot == .highlightedImage ? slot : .image }

    private func showCurrent() {
        guard isAlive else { return }
        surface.show(images[currentSlot])
        pictureChanged()
        if currentSlot == .image { onDisplay?(images[.image]) }
    }

    /// Shows a frame of the animation whose poster ``image`` is, in the same size; nothing while another is highlighted.
    func showFrame(_ pixels: PixelBuffer) {
        if isAlive, currentSlot == .image { surface.showFrame(pixels) }
    }

    private func pictureChanged() { actions?.pictureChanged() }

    override func widgetIsGone() {
        super.widgetIsGone()
        actions = nil
        highlightTrigger = nil
        imageBinding.close()
        onEnd?()
        onDisplay = nil
        onEnd = nil
    }
}
