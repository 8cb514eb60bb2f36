internal import CKuvaWebP
internal import KuvaCore

/// Owns one C decoder; the only place that sees its pointer.
final class WebPHandle {
    private let pointer: OpaquePointer

    /// - Parameters:
    ///   - pixels: where the picture goes, as RGBA8 with straight alpha; must stay as long as the handle.
    ///   - scaledSize: to what the library scales the picture, if it does.
    /// - Throws: ``ImageError`` with the code `out-of-memory`.
    init(
        pixels: UnsafeMutableRawBufferPointer,
        bytesPerRow: Int,
        scaledSize: PixelSize? = nil
    ) throws(ImageError) {
        let start = pixels.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let (width, height) = (UInt32(scaledSize?.width ?? 0), UInt32(scaledSize?.height ?? 0))
        guard let pointer = kuva_webp_create(start, bytesPerRow, pixels.count, width, height) else {
            throw Self.outOfMemory
        }
        self.pointer = pointer
    }

    /// - Parameters:
    ///   - planes: where the planes of a lossy picture go; must stay as long as the handle.
    ///   - layout: how they lie there.
    /// - Throws: ``ImageError`` with the code `out-of-memory`.
    init(planes: UnsafeMutableRawBufferPointer, layout: WebPPlaneLayout) throws(ImageError) {
        var target = kuva_webp_planes()
        guard planes.count >= layout.byteCount,
            let start = planes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { throw Self.outOfMemory }
        target.luma = start
        target.u = start + layout.uOffset
        target.v = start + layout.vOffset
        target.luma_bytes_per_row = layout.lumaBytesPerRow
        target.chroma_bytes_per_row = layout.chromaBytesPerRow
        target.height = layout.size.height
        guard let pointer = kuva_webp_create_yuv(&target) else { throw Self.outOfMemory }
        self.pointer = pointer
    }

    deinit { kuva_webp_destroy(pointer) }

    /// Goes on with the picture, given from its first byte as far as it has come.
    func update(_ bytes: UnsafeRawBufferPointer) throws(ImageError) -> DecoderStep<Void> {
        try Self.step(kuva_webp_update(pointer, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)) {}
    }

    /// How many rows from the top are decoded.
    var rowCount: Int { Int(kuva_webp_row_count(pointer)) }

    /// What the first bytes of a picture say.
    struct Features {
        let size: PixelSize
        let hasAlpha: Bool
        let isAnimated: Bool
        let isLossless: Bool
    }

    static func features(of bytes: UnsafeRawBufferPointer) throws(ImageError) -> DecoderStep<Features> {
        var info = kuva_webp_info()
        let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        return try step(kuva_webp_read_info(start, bytes.count, &info)) {
            Features(
                size: PixelSize(width: Int(info.width), height: Int(info.height)),
                hasAlpha: info.has_alpha != 0,
                isAnimated: info.is_animated != 0,
                isLossless: info.is_lossless != 0
            )
        }
    }

    private static func step<Value>(
        _ status: kuva_webp_status,
        _ value: () -> Value
    ) throws(ImageError) -> DecoderStep<Value> {
        switch status {
        case KUVA_WEBP_OK: return .done(value())
        case KUVA_WEBP_NEED_MORE: return .needsMoreBytes
        case KUVA_WEBP_NO_MEMORY: throw outOfMemory
        case KUVA_WEBP_UNSUPPORTED:
            throw ImageError(
                .unsupportedFormat,
                "the WebP uses a feature that libwebp does not know",
                advice: "convert it to an ordinary WebP"
            )
        default: throw .webpCorrupt("its bit stream breaks the format's rules")
        }
    }

    private static var outOfMemory: ImageError {
        ImageError(
            .outOfMemory,
            "the system did not give the memory to decode a WebP",
            advice: "ask for a smaller size, or lower the memory limits of the caches"
        )
    }
}
