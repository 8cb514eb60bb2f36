internal import CKuvaAVIF
internal import FoundationEssentials
internal import KuvaCore

/// Owns one C decoder; the only place that sees its pointer.
final class AVIFHandle {
    private let pointer: OpaquePointer

    init(limits: DecodeLimits) throws(ImageError) {
        func clamped(_ value: Int) -> UInt32 { UInt32(clamping: value) }
        guard
            let pointer = kuva_avif_create(
                clamped(limits.maximumOutputPixels),
                clamped(limits.maximumFrameCount)
            )
        else { throw .noMemory(toDecode: "an AVIF") }
        self.pointer = pointer
    }

    deinit { kuva_avif_destroy(pointer) }

    /// - Returns: `nil` while more bytes are needed.
    func readHeader(_ input: InputBytes) throws(ImageError) -> AVIFHeader? {
        var info = kuva_avif_info()
        let status = withInput(input) { kuva_avif_read_info(pointer, &info) }
        return try check(status) ? AVIFHeader(info) : nil
    }

    enum FrameOutcome {
        case whole
        case needsMoreBytes
        /// The file is complete and its data is not.
        case cutOff
    }

    /// Decodes the first frame, as far as the bytes go.
    func decodeFrame(_ input: InputBytes) throws(ImageError) -> FrameOutcome {
        let status = withInput(input) { kuva_avif_decode(pointer) }
        if status == KUVA_AVIF_TRUNCATED { return .cutOff }
        return try check(status) ? .whole : .needsMoreBytes
    }

    /// Rows of the frame that are decoded.
    var rowCount: Int { Int(kuva_avif_row_count(pointer)) }

    /// The size of the frame, known once a row is.
    var frameSize: PixelSize {
        var (width, height): (UInt32, UInt32) = (0, 0)
        kuva_avif_decoded_size(pointer, &width, &height)
        return PixelSize(width: Int(width), height: Int(height))
    }

    /// Rows that ``convert(_:into:bytesPerRow:)`` may write around those asked for.
    static let extraRows = Int(KUVA_AVIF_EXTRA_ROWS)

    /// Converts rows to RGBA8; the first must be even.
    ///
    /// - Returns: how many rows stand in `target` before the first of `rows`.
    func convert(
        _ rows: Range<Int>,
        into target: UnsafeMutableRawPointer,
        bytesPerRow: Int
    ) throws(ImageError) -> Int {
        var skip: UInt32 = 0
        let status = kuva_avif_convert(
            pointer,
            UInt32(rows.lowerBound),
            UInt32(rows.count),
            target.assumingMemoryBound(to: UInt8.self),
            bytesPerRow,
            &skip
        )
        _ = try check(status)
        return Int(skip)
    }

    private func withInput(_ input: InputBytes, _ body: () -> kuva_avif_status) -> kuva_avif_status {
        input.data.withUnsafeBytes { bytes in
            kuva_avif_set_input(
                pointer,
                bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
                bytes.count,
                input.isComplete ? 1 : 0
            )
            defer { kuva_avif_release_input(pointer) }
            return body()
        }
    }

    /// - Returns: whether it went well; `false` means that more bytes are needed.
    private func check(_ status: kuva_avif_status) throws(ImageError) -> Bool {
        switch status {
        case KUVA_AVIF_OK: return true
        case KUVA_AVIF_NEED_MORE: return false
        case KUVA_AVIF_TRUNCATED: throw .truncated("the AVIF", "before its picture does (\(message))")
        case KUVA_AVIF_UNSUPPORTED: throw .unsupported("the AVIF", message)
        case KUVA_AVIF_TOO_MANY_FRAMES:
            throw DecodeLimits.exceeded("the AVIF has too many frames", "maximumFrameCount")
        case KUVA_AVIF_NO_MEMORY: throw .noMemory(toDecode: "an AVIF")
        default: throw .corrupt("the AVIF", message)
        }
    }

    private var message: String { String(cString: kuva_avif_error(pointer)) }
}
