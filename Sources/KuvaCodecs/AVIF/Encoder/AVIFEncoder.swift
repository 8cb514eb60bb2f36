internal import CKuvaAVIFWrite
public import FoundationEssentials
public import KuvaCore

/// Writes pixels as AVIF of 8 bits (AV1 Image File Format 1.1), lossy or lossless, with alpha only where the pixels have
/// it, through libavif. Pixels that are sRGB are marked as that (`nclx` 1/13).
///
/// libaom is taken where libavif has it, as in every distribution; otherwise whatever libavif has, which then writes no
/// lossless pictures. One thread works, the caller's, and a file takes some hundred times as long as a JPEG.
public struct AVIFEncoder: ImageEncoder {
    /// From 0, the smallest files, to 10, the fastest; 6 by default, as `avifenc` has it. Numbers outside count as the
    /// nearest inside.
    public var speed: Int

    /// Makes an encoder.
    public init(speed: Int = 6) { self.speed = speed }

    /// AVIF.
    public var format: ImageFormat { .avif }

    /// Unless every pixel is to be kept.
    public func usesQuality(_ options: EncodeOptions) -> Bool { !options.isLossless }

    /// See ``ImageEncoder``. Alpha is never lossy. Lossless files of premultiplied pixels keep what straight alpha can say
    /// of them: alpha exactly, colour as near as its own rounding. The flag is looked at before and after the library's
    /// work, not during it.
    ///
    /// - Throws: also `unsupported-format` where the system's libavif has no encoder that does what is asked.
    public func encode(_ pixels: PixelBuffer, options: EncodeOptions) throws(ImageError) -> Data {
        // AV1 has 16 bits for a side less one (§5.5.1).
        let input = try EncoderInput(pixels, as: .avif, maximumSide: 65_536, alpha: .straight, options: options)
        var settings = kuva_avif_write_options()
        settings.quality = options.percentage
        settings.speed = Int32(min(10, max(0, speed)))
        settings.is_lossless = options.isLossless ? 1 : 0
        settings.has_full_chroma = options.chroma == .full ? 1 : 0
        settings.is_opaque = input.isOpaque ? 1 : 0
        settings.is_srgb = pixels.layout.colorSpace == .sRGB ? 1 : 0
        var message = [CChar](repeating: 0, count: 256)
        return try input.file(freedBy: kuva_avif_write_free) { rows, file, count in
            let status = kuva_avif_write(
                rows,
                input.bytesPerRow,
                input.width,
                input.height,
                &settings,
                &file,
                &count,
                &message,
                message.count
            )
            switch status {
            case KUVA_AVIF_WRITE_OK: return .written
            case KUVA_AVIF_WRITE_NO_MEMORY: return .noMemory
            case KUVA_AVIF_WRITE_NO_ENCODER: return .failed(Self.noEncoder)
            default: return .failed(input.refused(by: "libavif", Self.text(message)))
            }
        }
    }

    private static var noEncoder: ImageError {
        ImageError(
            .unsupportedFormat,
            "the system's libavif has no AV1 encoder that does what is asked",
            advice: "install a libavif that is built with libaom, or write another format"
        )
    }

    private static func text(_ message: [CChar]) -> String {
        String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
