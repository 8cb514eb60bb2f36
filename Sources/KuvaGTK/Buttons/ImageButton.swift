internal import CGTK
public import FoundationEssentials
public import Kuva
public import KuvaCore
public import KuvaPipeline
public import KuvaUI

/// A `GtkButton` with a picture, and one behind it, for each of its states.
///
/// A state without a picture of its own shows that of the normal state. If a button is in several states at once, the
/// first of these counts that has a picture: disabled, active, checked, hover, focused.
///
/// ```swift
/// let button = ImageButton()
/// button.setImage(from: play)
/// button.setImage(from: pause, for: .checked)
/// button.setBackgroundImage(from: cover)
/// ```
///
/// Its ``ImageWidget/widget`` is the `GtkButton`.
@MainActor
public final class ImageButton: ImageWidget, ImageLoadingView {
    /// What ties the button to its pictures.
    public private(set) lazy var imageBinding = ImageBinding(view: self, manager: manager)

    private let front: PictureSurface
    private let back: PictureSurface
    private var images: [ImageSlot: Image] = [:]
    private var loading: Set<ImageSlot> = []

    /// Makes a button with pictures and nothing else.
    ///
    /// - Parameter manager: who loads.
    public convenience init(manager: ImageManager = .shared) {
        self.init(widget: gtk_button_new()!.raw, manager: manager)
    }

    /// The pictures of a button that exists already, a `GtkToggleButton` or `GtkMenuButton`'s button too: the same object
    /// each time. What the button has as its child stands after the picture.
    ///
    /// - Parameters:
    ///   - button: a `GtkButton`; anything else is a programming error.
    ///   - manager: who loads, if the button has no pictures yet.
    public static func adopting(_ button: UnsafeMutableRawPointer, manager: ImageManager = .shared) -> ImageButton {
        if let known = Companions.find(dataKey, of: button) as? ImageButton { return known }
        return ImageButton(widget: button, manager: manager)
    }

    private init(widget: UnsafeMutableRawPointer, manager: ImageManager) {
        precondition(widget.isInstance(of: gtk_button_get_type()), "an ImageButton needs a GtkButton")
        let (front, back, overlay) = Self.makeContent(of: widget)
        self.front = PictureSurface(front)
        self.back = PictureSurface(back)
        let indicators = IndicatorPlace { overlay }
        indicators.style = .spinner(.small)
        super.init(widget: widget, surfaces: [self.front, self.back], indicators: indicators, manager: manager)
        self.back.contentFit = .cover
        for surface in [self.front, self.back] {
            surface.serve(self) { [weak self, unowned surface] in
                self?.currentSlot(of: surface) ?? .buttonImage(.normal)
            }
        }
        Signal.connect(widget, "state-flags-changed") { [weak self] in self?.showCurrent() }
        Companions.attach(self, to: widget, key: Self.dataKey)
    }

    /// Under which a button keeps its pictures.
    private static let dataKey = "kuva-image-button"

    /// An overlay in the button: the background first, which takes no room of its own, then the picture and what the
    /// button had before.
    private static func makeContent(
        of button: UnsafeMutableRawPointer
    ) -> (front: UnsafeMutableRawPointer, back: UnsafeMutableRawPointer, overlay: UnsafeMutableRawPointer) {
        let (front, back, overlay) = (gtk_picture_new()!, gtk_picture_new()!, gtk_overlay_new()!)
        let box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)!
        let asButton = button.assumingMemoryBound(to: GtkButton.self)
        gtk_box_append(box.raw.assumingMemoryBound(to: GtkBox.self), front)
        gtk_widget_set_hexpand(front, 1)
        if let content = gtk_button_get_child(asButton) {
            g_object_ref(content.raw)
            gtk_button_set_child(asButton, nil)
            gtk_box_append(box.raw.assumingMemoryBound(to: GtkBox.self), content)
            g_object_unref(content.raw)
            gtk_widget_set_hexpand(front, 0)
            // As far from each other as GTK's own buttons keep icon and label.
            gtk_widget_set_margin_start(content, 6)
        }
        gtk_overlay_set_child(overlay.opaque, back)
        gtk_overlay_add_overlay(overlay.opaque, box)
        gtk_overlay_set_measure_overlay(overlay.opaque, box, 1)
        gtk_widget_set_overflow(overlay, GTK_OVERFLOW_HIDDEN)
        gtk_button_set_child(asButton, overlay)
        return (front.raw, back.raw, overlay.raw)
    }

    // MARK: Loading

    /// Loads the picture of a state; see `setImage(from:placeholder:in:options:completion:)` of `ImageLoadingView`.
    public func setImage(
        from url: URL?,
        for state: ButtonState,
        placeholder: Image? = nil,
        options: ViewLoadOptions = ViewLoadOptions(),
        completion: ImageBinding.Completion? = nil
    ) {
        let slot = ImageSlot.buttonImage(state)
        setImage(from: url, placeholder: placeholder, in: slot, options: options, completion: completion)
    }

    /// Loads the picture behind the content of a state.
    public func setBackgroundImage(
        from url: URL?,
        for state: ButtonState = .normal,
        placeholder: Image? = nil,
        options: ViewLoadOptions = ViewLoadOptions(),
        completion: ImageBinding.Completion? = nil
    ) {
        let slot = ImageSlot.buttonBackground(state)
        setImage(from: url, placeholder: placeholder, in: slot, options: options, completion: completion)
    }

    /// Ends the load of the picture of a state.
    public func cancelImageLoad(for state: ButtonState) { cancelLoad(in: .buttonImage(state)) }

    /// Ends the load of the picture behind the content of a state.
    public func cancelBackgroundImageLoad(for state: ButtonState) { cancelLoad(in: .buttonBackground(state)) }

    /// Where the picture of a state is; `nil` if the state has none of its own.
    public func imageURL(for state: ButtonState) -> URL? { imageURL(in: .buttonImage(state)) }

    /// Where the picture behind the content of a state is; `nil` if the state has none of its own.
    public func backgroundImageURL(for state: ButtonState) -> URL? { imageURL(in: .buttonBackground(state)) }

    /// Where the picture is that was asked for, for the state that the button is in or that it falls back to.
    public var currentImageURL: URL? {
        states.lazy.compactMap { [self] in imageURL(for: $0) }.first
    }

    /// Where the picture behind the content is that was asked for, for the state that the button is in or that it falls
    /// back to.
    public var currentBackgroundImageURL: URL? {
        states.lazy.compactMap { [self] in backgroundImageURL(for: $0) }.first
    }

    /// The picture that is seen.
    public var currentImage: Image? { front.image }

    /// The picture that is seen behind the content.
    public var currentBackgroundImage: Image? { back.image }

    /// How the background meets the button; covers it by default.
    public var backgroundContentFit: ContentFit {
        get { isAlive ? back.contentFit : .cover }
        set { if isAlive { back.contentFit = newValue } }
    }

    // MARK: What a binding asks for

    /// Shows a picture, or nothing, in a slot; slots that buttons do not have count as the picture of the normal state.
    public func display(_ image: Image?, in slot: ImageSlot) {
        images[known(slot)] = image
        showCurrent()
    }

    /// What a slot has.
    public func displayedImage(in slot: ImageSlot) -> Image? { images[known(slot)] }

    /// Shows a picture with a transition, if the button is in its state.
    public func display(
        _ image: Image,
        in slot: ImageSlot,
        with transition: ImageTransition,
        completion: @escaping @MainActor (Bool) -> Void
    ) {
        guard isAlive else { return completion(false) }
        let slot = known(slot)
        images[slot] = image
        let surface = surface(of: slot)
        guard currentSlot(of: surface) == slot else { return completion(true) }
        surface.show(image, with: transition, completion: completion)
    }

    /// Shows the indicator while anything loads.
    public func setLoading(_ isLoading: Bool, in slot: ImageSlot) {
        guard isAlive else { return }
        if isLoading { loading.insert(slot) } else { loading.remove(slot) }
        indicators.setLoading(!loading.isEmpty)
        Accessibility.setBusy(!loading.isEmpty, widget)
    }

    /// Shows the progress.
    public func setProgress(_ progress: LoadProgress, in slot: ImageSlot) { indicators.setProgress(progress) }

    /// The size in which the button shows pictures of the slot.
    public func pictureSize(in slot: ImageSlot) -> PictureSize {
        isAlive ? surface(of: known(slot)).pictureSize() : .natural
    }

    // MARK: States

    /// The states that the button is in, the one that counts most first.
    private var states: [ButtonState] {
        isAlive ? ButtonState.states(of: gtk_widget_get_state_flags(widget.asWidget)) : [.normal]
    }

    private func known(_ slot: ImageSlot) -> ImageSlot { Self.slots.contains(slot) ? slot : .buttonImage(.normal) }

    private static let slots = Set(
        ButtonState.allCases.flatMap { [ImageSlot.buttonImage($0), ImageSlot.buttonBackground($0)] }
    )
    private static let backgrounds = Set(ButtonState.allCases.map { ImageSlot.buttonBackground($0) })

    private func surface(of slot: ImageSlot) -> PictureSurface { Self.backgrounds.contains(slot) ? back : front }

    private func currentSlot(of surface: PictureSurface) -> ImageSlot {
        let slots = states.map { surface === back ? ImageSlot.buttonBackground($0) : .buttonImage($0) }
        return slots.first { images[$0] != nil }
            ?? (surface === back ? .buttonBackground(.normal) : .buttonImage(.normal))
    }

    private func showCurrent() {
        guard isAlive else { return }
        for surface in [front, back] {
            let image = images[currentSlot(of: surface)]
            // A transition to the same picture goes on.
            if image?.pixels !== surface.image?.pixels || image == nil { surface.show(image) }
        }
    }

    override func widgetIsGone() {
        super.widgetIsGone()
        imageBinding.close()
    }
}
