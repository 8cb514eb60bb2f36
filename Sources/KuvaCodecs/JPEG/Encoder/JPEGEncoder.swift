internal import CKuvaJPEGWrite
public import FoundationEssentials
public import KuvaCore

/// Writes pixels as JPEG of 8 bits (ITU-T T.81, JFIF) through libjpeg-turbo, with Huffman tables made for the picture.
public struct JPEGEncoder: ImageEncoder {
    /// Makes an encoder.
    public init() {}

    /// JPEG.
    public var format: ImageFormat { .jpeg }

    /// Always.
    public func usesQuality(_ options: EncodeOptions) -> Bool { true }

    /// See ``ImageEncoder``. A picture with alpha is laid over the background.
    public func encode(_ pixels: PixelBuffer, options: EncodeOptions) throws(ImageError) -> Data {
        // The library's own bound, JPEG_MAX_DIMENSION.
        let input = try EncoderInput(pixels, as: .jpeg, maximumSide: 65_500, alpha: .none, options: options)
        return try input.file(freedBy: kuva_jpeg_write_free) { rows, file, count in
            let status = kuva_jpeg_write(
                rows,
                input.bytesPerRow,
                input.width,
                input.height,
                options.percentage,
                options.isProgressive ? 1 : 0,
                options.chroma == .full ? 1 : 0,
                &file,
                &count
            )
            switch status {
            case KUVA_JPEG_WRITE_OK: return .written
            case KUVA_JPEG_WRITE_NO_MEMORY: return .noMemory
            default: return .failed(input.refused(by: "libjpeg"))
            }
        }
    }
}
