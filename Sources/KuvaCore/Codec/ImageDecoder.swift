public import FoundationEssentials

/// The outcome of one step of a decoder.
public enum DecoderStep<Value: Sendable>: Sendable {
    /// The step is done.
    case done(Value)
    /// The step cannot be done before more of the file has come; append bytes and try again.
    case needsMoreBytes
    /// There is no further frame.
    case end
}

/// Turns the bytes of one file into pixels: info, then frames, then the end.
///
/// One contract for all formats; a still picture is an animation of one frame. The caller supplies the canvas, so the
/// caller keeps the budget. Needing more bytes is a state, not an error. Errors are sticky: after one, every further
/// call throws it again. A decoder belongs to one thread at a time and is not `Sendable`.
///
/// Pixels come out as ``PixelFormat/rgba8``, premultiplied, sRGB, upright, in the target size of the options that the
/// decoder was made with.
public protocol ImageDecoder: AnyObject {
    /// The format that the decoder reads.
    var format: ImageFormat { get }

    /// Gives the decoder the next bytes of the file.
    ///
    /// Bytes are appended once; a decoder given a whole file with `isLast` set keeps a reference and copies nothing.
    func append(_ bytes: Data, isLast: Bool)

    /// Reads what the file says about itself. Costs no pixel work; may be called again.
    ///
    /// - Throws: ``ImageError`` with the code `corrupt-image`, `truncated-image`, `limit-exceeded` or
    ///   `unsupported-format`.
    func readInfo() throws(ImageError) -> DecoderStep<ImageInfo>

    /// Decodes the next frame into `canvas`, which must have the layout that ``readInfo()`` gave.
    ///
    /// Every byte of the canvas is defined afterwards. A file that is damaged or cut off after some rows gives those
    /// rows and ``FrameInfo/damage``; a file with nothing to show throws.
    ///
    /// - Throws: ``ImageError`` as ``readInfo()``, or with the code `cancelled` once the options' flag is raised.
    func decodeFrame(into canvas: inout PixelCanvas) throws(ImageError) -> DecoderStep<FrameInfo>
}

/// A decoder that can show what has come so far, while the file is still coming.
public protocol ProgressiveImageDecoder: ImageDecoder {
    /// Decodes what the bytes so far give into `canvas`, which must have the layout that ``ImageDecoder/readInfo()``
    /// gave: the first rows, or the whole picture in a coarse form. What has not come yet is transparent black, or the
    /// thumbnail that is in the file. Previews come before ``ImageDecoder/decodeFrame(into:)`` is called, not after.
    ///
    /// Total work stays linear in the size of the file, however often it is called.
    /// - Returns: `needsMoreBytes` if there is nothing to show that was not in the preview before.
    /// - Throws: ``ImageError`` as ``ImageDecoder/decodeFrame(into:)``.
    func decodePreview(into canvas: inout PixelCanvas) throws(ImageError) -> DecoderStep<FrameInfo>
}

/// Finds the decoder for a file. ``KuvaCodecs`` has the usual one; a program may have its own.
public protocol ImageDecoderProvider: Sendable {
    /// A new decoder for a file that starts with `prefix`, or `nil` if none reads such a file. Nothing is decoded yet
    /// and the prefix is not kept.
    func makeDecoder(forPrefix prefix: Data, options: DecodeOptions) -> (any ImageDecoder)?
}
