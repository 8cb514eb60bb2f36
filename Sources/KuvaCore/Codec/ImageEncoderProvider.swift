public import FoundationEssentials

/// Turns pictures into files; the other way than ``ImageDecoderProvider``. Any number of threads may call at once.
public protocol ImageEncoderProvider: Sendable {
    /// Whether pictures can be written in a format.
    func canEncode(_ format: ImageFormat) -> Bool

    /// Whether all frames of an ``Image/animation`` can be written in a format; never by default.
    func canEncodeAnimations(_ format: ImageFormat) -> Bool

    /// The file for a picture. Blocks the calling thread for the time it takes.
    ///
    /// - Throws: ``ImageError`` with the code `unsupported-format` if the format or the pixels are not for this encoder,
    ///   or `out-of-memory`.
    func encode(_ image: Image, as format: ImageFormat) throws(ImageError) -> Data
}

extension ImageEncoderProvider {
    /// Never.
    public func canEncodeAnimations(_ format: ImageFormat) -> Bool { false }
}
