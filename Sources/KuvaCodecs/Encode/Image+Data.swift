public import FoundationEssentials
public import KuvaCore

extension Image {
    /// The picture as a file. Blocks the calling thread for the time it takes: call it on a thread of your own.
    ///
    /// - Parameters:
    ///   - quality: from 0, the smallest file, to 1, the best picture; for formats that lose something.
    ///   - maxPixelSize: a box that the picture is scaled down to fit.
    ///   - maxFileSize: how many bytes the file may have. The quality is lowered as far as needed, no further; where the
    ///     lowest, or a format without, does not do, the picture is made smaller.
    ///   - background: what lies under a picture with alpha in a format without.
    ///   - options: what else the format may take; its quality and background are those of the parameters before.
    /// - Throws: ``ImageError`` with the code `unsupported-format` for a format without an encoder, `limit-exceeded` if no
    ///   file is so small, or as ``ImageEncoder/encode(_:options:)``.
    public func data(
        as format: ImageFormat,
        quality: Double = 0.85,
        maxPixelSize: PixelSize? = nil,
        maxFileSize: Int? = nil,
        background: Color = .white,
        options: EncodeOptions = EncodeOptions(),
        encoders: EncoderRegistry = .builtIn
    ) throws(ImageError) -> Data {
        guard let encoder = encoders[format] else {
            let names = encoders.formats.map(\.name).joined(separator: ", ")
            throw ImageError(
                .unsupportedFormat,
                "no encoder for \(format) is registered",
                advice: "register one, or write one of \(names)"
            )
        }
        var options = options
        options.quality = min(1, max(0, quality))
        options.background = background
        let size = maxPixelSize.map { TargetSize($0).outputSize(for: pixelSize) } ?? pixelSize
        let image = size == pixelSize ? self : try ResizeTransformer(size).transform(self, pool: .shared)
        guard let maxFileSize else { return try encoder.encode(image.pixels, options: options) }
        return try SizedEncoding(encoder: encoder, options: options, maximumByteCount: maxFileSize).encode(image)
    }
}
