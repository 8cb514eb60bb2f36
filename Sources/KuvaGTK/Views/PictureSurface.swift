internal import CGTK
internal import KuvaCore
internal import KuvaUI

/// A `GtkPicture` or `GtkImage` that shows pictures of Kuva: puts them in, knows in which size it shows them, and says
/// when they should be decoded in another size.
@MainActor
final class PictureSurface {
    /// The two kinds of widgets that show pictures.
    enum Kind {
        /// Fits its pictures to its size.
        case picture
        /// Shows its pictures in a square of icon size.
        case image
    }

    /// The `GtkPicture` or `GtkImage`.
    let widget: UnsafeMutableRawPointer
    let kind: Kind
    /// A widget around it whose size request counts as its own.
    let host: UnsafeMutableRawPointer

    /// Called when the surface knows its size, after ``pictureSize()`` has said that it does not.
    private(set) var onLaidOut: @MainActor () -> Void = {}
    /// Called in the middle of drawing, when no widget may change.
    private var onDrawn: @MainActor () -> Void = {}
    private var isChangingSize = false
    /// In which size the widget was drawn when its picture was found good enough, so that it is not looked at each time.
    private var fittingSize: SIMD4<Int32>?

    /// Whether the widget wants the size of its picture; see ``ImageView/followsPictureSize``.
    var followsPicture = true {
        didSet {
            guard followsPicture != oldValue else { return }
            layout.followers = nil
            put(image)
        }
    }

    private(set) var image: Image?
    var layout = SurfaceLayout()
    private let paintable = Paintable()
    private var run: TransitionRun?
    private var isAlive = true

    /// - Parameter widget: a `GtkPicture` or a `GtkImage`; anything else is a programming error.
    init(_ widget: UnsafeMutableRawPointer, host: UnsafeMutableRawPointer? = nil) {
        let isPicture = widget.isInstance(of: gtk_picture_get_type())
        precondition(isPicture || widget.isInstance(of: gtk_image_get_type()), "a GtkPicture or a GtkImage is needed")
        self.widget = widget
        self.host = host ?? widget
        kind = isPicture ? .picture : .image
        paintable.observe(Unmanaged.passUnretained(self).toOpaque()) { owner in
            guard let owner else { return }
            // Unsafe: GTK draws on the main thread, and there the surface stays.
            nonisolated(unsafe) let surface = owner
            MainActor.assumeIsolated { Unmanaged<PictureSurface>.fromOpaque(surface).takeUnretainedValue().onDrawn() }
        }
    }

    /// Lets a view load in the size of the surface, and again when that has changed much.
    ///
    /// - Parameter slot: which of the view's pictures the surface shows now.
    func serve(_ view: any ImageLoadingView, slot: @escaping @MainActor () -> ImageSlot) {
        onLaidOut = { [weak view] in view?.imageBinding.pictureSizeIsKnown() }
        onDrawn = { [weak self, weak view] in
            guard let self, let view, image != nil, !isChangingSize, drawnSize != fittingSize else { return }
            guard outgrows(view.imageBinding, slot()) else {
                if !view.imageBinding.isLoading { fittingSize = drawnSize }
                return
            }
            isChangingSize = true
            // When the drawing is over.
            Task { [weak self, weak view] in
                guard let self else { return }
                isChangingSize = false
                guard let view, isAlive else { return }
                let slot = slot()
                if outgrows(view.imageBinding, slot) { view.imageBinding.refine(in: slot) }
            }
        }
    }

    /// The size of the widget and its scale.
    private var drawnSize: SIMD4<Int32> {
        let widget = widget.asWidget
        return [gtk_widget_get_width(widget), gtk_widget_get_height(widget), gtk_widget_get_scale_factor(widget), 0]
    }

    /// Whether the picture of a slot has another size by now than it was decoded for.
    private func outgrows(_ binding: ImageBinding, _ slot: ImageSlot) -> Bool {
        binding.refinableSize(in: slot).map { needsOtherSize(than: $0) } ?? false
    }

    /// The `GdkTexture` that is shown; no new reference.
    var texture: UnsafeMutableRawPointer? { paintable.texture }

    /// The `GdkPaintable` that shows the pictures; no new reference.
    var paintablePointer: UnsafeMutableRawPointer { paintable.pointer }

    /// The widget is gone.
    func end() {
        isAlive = false
        paintable.stopObserving()
        layout = SurfaceLayout()
        run?.abandon()
        run = nil
    }

    /// Shows a picture, or nothing, at once.
    func show(_ image: Image?) {
        guard isAlive else { return }
        run?.stop()
        run = nil
        put(image)
    }

    /// Shows a frame of the animation whose poster is shown, in the same size.
    func showFrame(_ pixels: PixelBuffer) {
        guard isAlive, let image else { return }
        paintable.show(Image(pixels: pixels, scale: image.scale))
    }

    /// Shows a picture with a transition. Where the user wants no motion, or nobody would see it, it is shown at once.
    func show(_ image: Image, with transition: ImageTransition, completion: @escaping @MainActor (Bool) -> Void) {
        run?.stop()
        run = nil
        guard isAlive else { return completion(false) }
        transition.prepare?()
        guard gtk_widget_get_mapped(widget.asWidget) != 0, Motion.isEnabled(for: widget) else {
            put(image)
            transition.step?(1)
            return completion(true)
        }
        let isRightToLeft = gtk_widget_get_direction(widget.asWidget) == GTK_TEXT_DIR_RTL
        paintable.beginTransition(transition.style, isRightToLeft: isRightToLeft)
        put(image)
        run = TransitionRun(
            transition,
            in: widget,
            onStep: { [weak self] in self?.paintable.setTransitionProgress($0) },
            completion: { [weak self] isFinished in
                self?.run = nil
                completion(isFinished)
            }
        )
    }

    /// The widget fits its pictures in another way now.
    func fitChanged() { if !followsPicture { put(image) } }

    private func put(_ image: Image?) {
        fittingSize = nil
        let isSame = image?.pixels === self.image?.pixels && image?.scale == self.image?.scale
        self.image = image
        if kind == .picture { paintable.setFit(followsPicture ? nil : contentFit) }
        if !isSame { paintable.show(image) }
        // Without a picture there is no paintable either, since GtkPicture takes 16 pixels for an empty one. Where sizes
        // do not matter it stays, so that GTK has nothing to lay out.
        let wanted = image == nil && followsPicture ? nil : paintable.pointer.opaque
        switch kind {
        case .picture:
            guard gtk_picture_get_paintable(widget.opaque) != wanted else { return }
            gtk_picture_set_paintable(widget.opaque, wanted)
        case .image:
            guard gtk_image_get_paintable(widget.opaque) != wanted else { return }
            if wanted == nil {
                gtk_image_clear(widget.opaque)
            } else {
                gtk_image_set_from_paintable(widget.opaque, wanted)
            }
        }
    }
}
