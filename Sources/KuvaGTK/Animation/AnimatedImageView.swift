internal import CGTK
public import Kuva
public import KuvaCore
public import KuvaPipeline
public import KuvaUI

/// An ``ImageView`` that plays animations.
///
/// It loads as ``imageView`` does; what comes decides whether it is a still picture or an animation, and one excludes
/// the other. It plays while it has an animation, a root and a parent, is mapped and visible and its opacity is above 0,
/// and looks again at each such change. A plain `ImageView` shows the first frame.
@MainActor
public final class AnimatedImageView {
    /// The view that loads and shows; put its ``ImageView/widget`` into a window.
    public let imageView: ImageView

    /// Whether an animation starts by itself; `true` by default.
    public var autoplays = true

    /// Whether stopping goes back to the first frame; `false` by default.
    public var resetsWhenStopped = false

    /// Whether stopping forgets decoded frames; `false` by default.
    public var clearsBufferWhenStopped = false

    /// Called at the end of each lap with the laps that are left; `nil` for ever, 0 before playing stops.
    public var lapHandler: (@MainActor (_ remaining: Int?) -> Void)?

    /// Called for each frame that is shown.
    public var frameHandler: (@MainActor (_ index: Int) -> Void)?

    /// How fast it plays; 0 and below stop.
    public var rate = 1.0 { didSet { player?.rate = rate } }

    /// In which order frames are shown; a change goes back to the start.
    public var mode = AnimationPlayback.Mode.normal { didSet { player?.mode = mode } }

    /// Laps in all, 0 for ever; `nil` for what the file says.
    public var repeatCount: Int? { didSet { player?.repeatCount = repeatCount } }

    /// Bytes that the frames may take; see ``AnimatedImagePlayer/maximumByteCount``.
    public var maximumByteCount: Int? { didSet { player?.maximumByteCount = maximumByteCount } }

    private let store: FrameBufferStore
    private var player: AnimatedImagePlayer?
    private var shownPixels: PixelBuffer?
    /// Whether it is to play as soon as it may.
    private var isStarted = false

    /// Makes a view with a picture of its own.
    ///
    /// - Parameters:
    ///   - manager: who loads.
    ///   - store: who shares decoded frames.
    public convenience init(manager: ImageManager = .shared, store: FrameBufferStore = .shared) {
        self.init(imageView: ImageView(manager: manager), store: store)
    }

    /// Makes an image view play animations. The view keeps this object alive, as its widget keeps the view.
    public init(imageView: ImageView, store: FrameBufferStore = .shared) {
        self.imageView = imageView
        self.store = store
        imageView.imageBinding.wantsAnimation = true
        imageView.onDisplay = { image in
            // Held strongly: the closure ends with the image view.
            self.imageChanged(to: image?.animation)
        }
        imageView.onEnd = { self.end() }
        let picture = imageView.picture
        for signal in ["map", "unmap", "notify::visible", "notify::opacity", "notify::parent", "notify::root"] {
            if signal.hasPrefix("notify") {
                Signal.connect(picture, signal) { [weak self] (_: UnsafeMutableRawPointer) in self?.reconsider() }
            } else {
                Signal.connect(picture, signal, after: true) { [weak self] in self?.reconsider() }
            }
        }
    }

    /// The animation. Setting the same one does nothing. Another one takes the place of a still picture, shows its
    /// poster, and starts from there if it may; `nil` stops and shows nothing.
    public var image: AnimatedImage? {
        get { player?.image }
        set {
            guard newValue !== player?.image else { return }
            imageView.show(newValue.map { $0.poster.animated(by: $0) })
        }
    }

    /// The frame that is shown, of an animation.
    public var currentFrame: Image? {
        guard let player else { return nil }
        return shownPixels.map { Image(pixels: $0, scale: player.image.poster.scale) } ?? player.image.poster
    }

    /// The number of the frame that is shown, from 0.
    public var currentFrameIndex: Int { player?.shownIndex ?? 0 }

    /// Whether frames follow one another now.
    public var isAnimating: Bool { player?.isPlaying ?? false }

    /// Plays, now or once it may.
    public func startAnimating() {
        isStarted = true
        reconsider()
    }

    /// Stops until ``startAnimating()``.
    public func stopAnimating() {
        isStarted = false
        guard let player else { return }
        if resetsWhenStopped {
            player.stop()
            show(player.image.poster.pixels)
        } else {
            player.pause()
        }
        if clearsBufferWhenStopped { player.buffer.removeAllFrames() }
    }

    /// Shows a frame at once, or as soon as it is decoded.
    ///
    /// - Returns: whether there is such a frame.
    @discardableResult
    public func seek(to index: Int) -> Bool { player?.seek(to: index) ?? false }

    /// The file of the animation that is shown has grown. Loads of the view say so by themselves.
    public func imageHasGrown() { player?.timelineHasGrown() }

    private func imageChanged(to image: AnimatedImage?) {
        guard image !== player?.image else {
            // The highlighted picture had taken the place of the frame, or more of the file has come.
            if let shownPixels { imageView.showFrame(shownPixels) }
            player?.timelineHasGrown()
            return
        }
        player?.invalidate()
        player = nil
        shownPixels = nil
        isStarted = false
        guard let image, imageView.isAlive else { return }
        let widget = imageView.picture
        let made = AnimatedImagePlayer(image, mode: mode, store: store) { onTick in
            FrameClockDisplayLink(widget: widget, onTick: onTick)
        }
        made.rate = rate
        made.repeatCount = repeatCount
        made.maximumByteCount = maximumByteCount
        made.frameHandler = { [weak self] index, pixels in
            self?.show(pixels)
            self?.frameHandler?(index)
        }
        made.lapHandler = { [weak self] remaining in
            // What has ended does not begin again when the view is shown once more.
            if remaining == 0 { self?.isStarted = false }
            self?.lapHandler?(remaining)
        }
        player = made
        imageView.isHighlighted = false
        isStarted = autoplays
        reconsider()
    }

    private func show(_ pixels: PixelBuffer) {
        shownPixels = pixels
        imageView.showFrame(pixels)
    }

    private var mayPlay: Bool {
        guard imageView.isAlive else { return false }
        let widget = imageView.picture.assumingMemoryBound(to: GtkWidget.self)
        return gtk_widget_get_root(widget) != nil && gtk_widget_get_parent(widget) != nil
            && gtk_widget_get_mapped(widget) != 0 && gtk_widget_get_visible(widget) != 0
            && gtk_widget_get_opacity(widget) > 0
    }

    private func reconsider() {
        guard let player else { return }
        if isStarted, mayPlay { player.play() } else { player.pause() }
    }

    private func end() {
        player?.invalidate()
        player = nil
    }
}
