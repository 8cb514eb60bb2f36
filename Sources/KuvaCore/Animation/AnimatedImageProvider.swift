public import FoundationEssentials

/// Where the frames of an animation come from. Any thread may call every method.
public protocol AnimatedImageProvider: AnyObject, Sendable {
    /// The format of the file; ``ImageFormat/unknown`` for frames from no file.
    var format: ImageFormat { get }

    /// The layout of each frame.
    var layout: PixelLayout { get }

    /// When frames are shown, as far as they are known. Never waits for a frame that is being decoded, and never loses
    /// a frame.
    var timeline: AnimationTimeline { get }

    /// Bytes of the file that are held.
    var encodedByteCount: Int { get }

    /// The whole file that the frames come from, unless they were changed since; `nil` if there is none, or it was still
    /// coming.
    var encodedBytes: Data? { get }

    /// The frame at `index`, as it is shown. Blocks the calling thread for the time it takes.
    ///
    /// - Parameter pool: where the memory of the pixels comes from.
    /// - Throws: ``ImageError``; with the code `invalid-configuration` for an index that the timeline does not have.
    func frame(at index: Int, pool: PixelBufferPool) throws(ImageError) -> PixelBuffer
}

extension AnimatedImageProvider {
    /// None.
    public var encodedBytes: Data? { nil }
}
