internal import CKuvaWebPWrite
public import FoundationEssentials
public import KuvaCore

/// Writes pixels as WebP (RFC 9649), lossy or lossless, with alpha only where the pixels have it, through libwebp.
public struct WebPEncoder: ImageEncoder {
    /// Makes an encoder.
    public init() {}

    /// WebP.
    public var format: ImageFormat { .webp }

    /// Unless every pixel is to be kept.
    public func usesQuality(_ options: EncodeOptions) -> Bool { !options.isLossless }

    /// See ``ImageEncoder``. Lossless files of premultiplied pixels keep what straight alpha can say of them: alpha
    /// exactly, colour as near as its own rounding.
    public func encode(_ pixels: PixelBuffer, options: EncodeOptions) throws(ImageError) -> Data {
        let input = try EncoderInput(pixels, as: .webp, maximumSide: 16_383, alpha: .straight, options: options)
        let quality = options.isLossless ? 0.75 : min(1, max(0, options.quality))
        return try input.file(freedBy: kuva_webp_write_free) { rows, file, count in
            let status = kuva_webp_write(
                rows,
                input.bytesPerRow,
                input.width,
                input.height,
                Float(quality * 100),
                options.isLossless ? 1 : 0,
                input.isOpaque ? 1 : 0,
                &file,
                &count
            )
            switch status {
            case KUVA_WEBP_WRITE_OK: return .written
            case KUVA_WEBP_WRITE_NO_MEMORY: return .noMemory
            default: return .failed(input.refused(by: "libwebp"))
            }
        }
    }
}
