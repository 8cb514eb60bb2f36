public import FoundationEssentials
public import KuvaCore

/// Writes pictures as the texts that ``FakeDecoders`` reads, whatever pixels they have.
public struct FakeEncoders: ImageEncoderProvider {
    private let formats: Set<ImageFormat>

    /// - Parameter formats: what can be written; by default the format of the texts.
    public init(formats: Set<ImageFormat> = [FakeDecoders.format]) { self.formats = formats }

    /// See `ImageEncoderProvider`.
    public func canEncode(_ format: ImageFormat) -> Bool { formats.contains(format) }

    /// See `ImageEncoderProvider`.
    public func encode(_ image: Image, as format: ImageFormat) throws(ImageError) -> Data {
        FakeDecoders.file(width: image.pixelSize.width, height: image.pixelSize.height)
    }
}
