/// What a file says about one frame of an animation, known before any pixel of it is decoded.
public struct AnimationFrame: Hashable, Sendable {
    /// What becomes of a frame before the next one is drawn.
    public enum Disposal: Hashable, Sendable {
        /// It stays.
        case keep
        /// Its rectangle becomes transparent.
        case clear
        /// Its rectangle becomes what it was before the frame.
        case restore
    }

    /// How long it is shown, as the file says it; `nil` where the file does not say. See ``FrameDelayRule``.
    public var duration: Duration?
    /// Whether all of its bytes have come.
    public var isWhole: Bool
    /// The part of the stored picture that the frame draws; `nil` where the format has none or its library does not say.
    public var rect: PixelRect?
    /// What becomes of it; `nil` as for ``rect``.
    public var disposal: Disposal?

    /// Makes a description.
    public init(duration: Duration?, isWhole: Bool, rect: PixelRect? = nil, disposal: Disposal? = nil) {
        self.duration = duration
        self.isWhole = isWhole
        self.rect = rect
        self.disposal = disposal
    }
}

/// A decoder that knows the frames of an animation before it decodes them, and decodes them in any order.
///
/// ``ImageDecoder/decodeFrame(into:)`` gives one frame after the other as it is shown, drawn over those before it.
/// Going forward costs one frame a call; going back costs the frames from the last one that depends on none. A frame
/// that is damaged shows what there is of it over the frames before it.
///
/// A decoder that is asked for one frame only may take less memory than one that is asked for more, since it need not
/// keep the screen; whoever wants more calls ``seek(toFrame:)`` first, with 0 for the first.
public protocol AnimationDecoder: ImageDecoder {
    /// Frames found so far; grows with ``ImageDecoder/readInfo()`` while the file comes.
    var frameCount: Int { get }

    /// Whether no further frame will be found.
    var hasAllFrames: Bool { get }

    /// What the file says about a frame, which must be less than ``frameCount``.
    func frame(at index: Int) -> AnimationFrame

    /// Chooses the frame that the next ``ImageDecoder/decodeFrame(into:)`` gives. Costs nothing by itself.
    func seek(toFrame index: Int)
}
