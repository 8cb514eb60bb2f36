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
    func readHeader(_ input: InputBytes, limits: DecodeLimits) throws(ImageError) -> AVIFHeader? {
        var info = kuva_avif_info()
        let status = withInput(input) { kuva_avif_read_info(pointer, &info) }
        guard try check(status) else { return nil }
        try limits.check(profileByteCount: info.icc_size)
        var profile = [UInt8](repeating: 0, count: info.icc_size)
        kuva_avif_copy_icc(pointer, &profile)
        return AVIFHeader(info, profile: profile)
    }

    enum FrameOutcome {
        case whole
        case needsMoreBytes
        /// The file is complete and its data is not.
        case cutOff
    }

    /// How long a frame of a sequence is shown; `nil` where the file does not say.
    func duration(ofFrame index: Int) -> Duration? {
        var (ticks, ticksPerSecond): (UInt64, UInt64) = (0, 0)
        guard kuva_avif_frame_time(pointer, UInt32(index), &ticks, &ticksPerSecond) != 0 else { return nil }
        return .seconds(Int64(clamping: ticks)) / Int64(clamping: ticksPerSecond)
    }

    /// Whether so many bytes of the file are enough for a frame.
    func hasFrame(_ index: Int, inFirst byteCount: Int) -> Bool {
        kuva_avif_has_frame(pointer, UInt32(index), UInt64(byteCount)) != 0
    }

    /// Decodes a frame, as far as the bytes go.
    func decodeFrame(_ index: Int, _ input: InputBytes) throws(ImageError) -> FrameOutcome {
        let status = withInput(input) { kuva_avif_decode(pointer, UInt32(index)) }
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
    /// - Parameter isStraight: whether colour that the file has multiplied by alpha is divided by it.
    /// - Returns: how many rows stand in `target` before the first of `rows`.
    func convert(
        _ rows: Range<Int>,
        isStraight: Bool,
        into target: UnsafeMutableRawPointer,
        bytesPerRow: Int
    ) throws(ImageError) -> Int {
        var skip: UInt32 = 0
        let status = kuva_avif_convert(
            pointer,
            UInt32(rows.lowerBound),
            UInt32(rows.count),
            isStraight ? 1 : 0,
            target.assumingMemoryBound(to: UInt8.self),
            bytesPerRow,
            &skip
        )
        _ = try check(status)
        return Int(skip)
    }

    /// The planes of a frame; `nil` for one with alpha, of more than 8 bits or without its last rows.
    var planes: kuva_avif_planes? {
        var planes = kuva_avif_planes()
        return kuva_avif_get_planes(pointer, &planes) != 0 ? planes : nil
    }

    /// Converts planes made of those of the frame, with as many samples of chroma as of luma, to RGBA8.
    func convert(
        planes: ScratchMemory,
        of size: PixelSize,
        into target: UnsafeMutableRawPointer,
        bytesPerRow: Int
    ) throws(ImageError) {
        let status = kuva_avif_convert_planes(
            pointer,
            planes.start.assumingMemoryBound(to: UInt8.self),
            UInt32(size.width),
            UInt32(size.height),
            target.assumingMemoryBound(to: UInt8.self),
            bytesPerRow
        )
        _ = try check(status)
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
