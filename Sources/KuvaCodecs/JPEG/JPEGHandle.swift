internal import CKuvaJPEG
internal import FoundationEssentials
internal import KuvaCore

/// Owns one C decoder; the only place that sees its pointer.
final class JPEGHandle {
    private let pointer: OpaquePointer

    /// - Throws: ``ImageError`` with the code `out-of-memory`.
    init() throws(ImageError) {
        guard let pointer = kuva_jpeg_create() else { throw Self.outOfMemory }
        self.pointer = pointer
    }

    deinit { kuva_jpeg_destroy(pointer) }

    /// Reads up to the first scan.
    func readHeader(from input: InputBytes) throws(ImageError) -> DecoderStep<JPEGHeader> {
        var info = kuva_jpeg_info()
        switch withInput(input, { kuva_jpeg_read_header(pointer, &info) }) {
        case KUVA_JPEG_OK: return .done(JPEGHeader(info))
        case KUVA_JPEG_NEED_MORE: return .needsMoreBytes
        default: throw error
        }
    }

    /// Starts decoding at `1 / denominator` of the size.
    ///
    /// - Parameter keepsInks: whether rows of CMYK stay what they are.
    /// - Returns: the size that this makes.
    func start(denominator: Int, keepsInks: Bool) throws(ImageError) -> PixelSize {
        var (width, height): (UInt32, UInt32) = (0, 0)
        let status = kuva_jpeg_start(pointer, UInt32(denominator), keepsInks ? 1 : 0, &width, &height)
        guard status == KUVA_JPEG_OK else { throw error }
        return PixelSize(width: Int(width), height: Int(height))
    }

    /// Takes in coefficients of a picture of several scans, a number of rows of blocks at a time.
    ///
    /// - Parameter scan: becomes the number of the scan that is being read, whatever the step comes to.
    /// - Returns: `.end` after the last scan.
    func absorb(rows: Int, from input: InputBytes, scan: inout Int) throws(ImageError) -> DecoderStep<Void> {
        var number: UInt32 = 0
        let status = withInput(input) { kuva_jpeg_absorb(pointer, UInt32(rows), &number) }
        scan = Int(number)
        switch status {
        case KUVA_JPEG_OK: return .done(())
        case KUVA_JPEG_NEED_MORE: return .needsMoreBytes
        case KUVA_JPEG_END: return .end
        default: throw error
        }
    }

    /// Starts the output of what has been absorbed.
    func startOutput() throws(ImageError) {
        guard kuva_jpeg_start_output(pointer) == KUVA_JPEG_OK else { throw error }
    }

    /// Starts an output of what has been absorbed so far, at least one whole scan, to be read to its end.
    func startPreview() throws(ImageError) {
        guard kuva_jpeg_start_preview(pointer) == KUVA_JPEG_OK else { throw error }
    }

    /// Ends it.
    func endPreview(_ input: InputBytes) throws(ImageError) {
        guard withInput(input, { kuva_jpeg_end_preview(pointer) }) == KUVA_JPEG_OK else { throw error }
    }

    /// What reading rows came to.
    enum RowsOutcome {
        case more
        case needsMoreBytes
        case end
        case failed(ImageError)
    }

    /// Decodes the next rows, at most `count`, to opaque RGBA8.
    ///
    /// - Returns: how many came; rows that the library would make up do not count.
    func readRows(
        into rows: UnsafeMutableRawPointer,
        bytesPerRow: Int,
        count: Int,
        from input: InputBytes,
        outcome: inout RowsOutcome
    ) -> Int {
        var written: UInt32 = 0
        let start = rows.assumingMemoryBound(to: UInt8.self)
        let status = withInput(input) {
            kuva_jpeg_read_rows(pointer, start, bytesPerRow, UInt32(count), &written)
        }
        outcome =
            switch status {
            case KUVA_JPEG_OK: .more
            case KUVA_JPEG_NEED_MORE: .needsMoreBytes
            case KUVA_JPEG_END: .end
            default: .failed(error)
            }
        return Int(written)
    }

    /// Whether the file ended before its picture data did.
    var isCutOff: Bool { kuva_jpeg_is_cut_off(pointer) != 0 }

    /// The library's first complaint about the picture data that it could go on from.
    var warning: String? { kuva_jpeg_warning(pointer).map { String(cString: $0) } }

    private func withInput(_ input: InputBytes, _ body: () -> kuva_jpeg_status) -> kuva_jpeg_status {
        input.withBytes { bytes in
            kuva_jpeg_set_input(
                pointer,
                bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
                bytes.count,
                input.isComplete ? 1 : 0
            )
            defer { kuva_jpeg_release_input(pointer) }
            return body()
        }
    }

    private var error: ImageError {
        let message = String(cString: kuva_jpeg_error_message(pointer))
        switch kuva_jpeg_error_kind(pointer) {
        case KUVA_JPEG_NO_MEMORY: return Self.outOfMemory
        case KUVA_JPEG_UNSUPPORTED: return .jpegUnsupported(message)
        default: return .jpegCorrupt(message)
        }
    }

    private static var outOfMemory: ImageError {
        ImageError(
            .outOfMemory,
            "the system did not give the memory to decode a JPEG",
            advice: "ask for a smaller size, or lower the memory limits of the caches"
        )
    }
}
