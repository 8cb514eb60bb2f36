public import FoundationEssentials

/// Writes animations as files of one format; what ``ImageEncoder`` is for still pictures.
public protocol AnimationEncoder: Sendable {
    /// The format that it writes.
    var format: ImageFormat { get }

    /// Begins a file.
    ///
    /// - Parameters:
    ///   - size: width and height of each frame.
    ///   - lapCount: how often the frames are shown from the first to the last; `nil` for ever. A count larger than the
    ///     format can hold becomes the largest that it can.
    ///   - options: quality and so on; each format takes what it knows. The cancellation is looked at for each frame and
    ///     where the format allows it more often.
    /// - Throws: ``ImageError`` with the code `limit-exceeded` for sides that the format does not allow, and
    ///   `out-of-memory`.
    func makeWriter(
        size: PixelSize,
        lapCount: Int?,
        options: EncodeOptions
    ) throws(ImageError) -> any AnimationWriter
}

/// One animation being written, a frame at a time.
///
/// It holds the file as far as it is written, and a few frames at most. One thread at a time, one of your own: each call
/// takes as long as encoding a frame does. After an error the file is lost; every further call throws it again.
public protocol AnimationWriter: AnyObject {
    /// Adds the next frame as it is shown: the whole picture, RGBA8, premultiplied or opaque, in the writer's size.
    ///
    /// What it has in common with the frame before is not written again. The memory of the frame may be kept until the
    /// next call.
    ///
    /// - Parameter duration: how long it is shown, rounded to what the format can say so that no error adds up: hundredths
    ///   of a second in GIF, thousandths in WebP, nearly any fraction in APNG. Zero stays zero.
    /// - Throws: ``ImageError`` with the code `unsupported-format` for pixels of another kind, `invalid-configuration` for
    ///   another size; `out-of-memory`; `cancelled`.
    func append(_ frame: PixelBuffer, duration: Duration) throws(ImageError)

    /// Ends the file. Nothing may be called afterwards.
    ///
    /// - Throws: ``ImageError`` with the code `invalid-configuration` for an animation without frames; otherwise as
    ///   ``append(_:duration:)``.
    func finish() throws(ImageError) -> Data
}
