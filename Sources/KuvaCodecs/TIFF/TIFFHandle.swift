#if TIFF
    internal import CKuvaTIFF
    internal import FoundationEssentials
    internal import KuvaCore

    /// Owns one C reader for as long as the file's bytes are pinned; the only place that sees its pointer.
    struct TIFFHandle: ~Copyable {
        private let pointer: OpaquePointer

        /// Opens a file for the time of `body`.
        static func with<R>(
            _ input: InputBytes,
            limits: DecodeLimits,
            _ body: (borrowing TIFFHandle) throws(ImageError) -> R
        ) throws(ImageError) -> R {
            try input.withBytes { bytes throws(ImageError) in
                let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
                // What the library may take at once: a held picture of 32-bit samples, and something for tags.
                let (most, overflow) = limits.maximumOutputPixels.multipliedReportingOverflow(by: 16)
                guard
                    let pointer = kuva_tiff_open(start, bytes.count, overflow ? Int.max : max(1 << 20, most))
                else { throw .noMemory(toDecode: "a TIFF") }
                return try body(TIFFHandle(pointer: pointer))
            }
        }

        private init(pointer: OpaquePointer) { self.pointer = pointer }

        deinit { kuva_tiff_close(pointer) }

        func readInfo() throws(ImageError) -> kuva_tiff_info {
            var info = kuva_tiff_info()
            if let error = error(kuva_tiff_read_info(pointer, &info)) { throw error }
            return info
        }

        /// Reads the next band of rows.
        ///
        /// - Parameter count: gets how many rows came, also where an error is returned.
        func readRows(into rows: UnsafeMutableRawPointer, count: inout Int) -> ImageError? {
            var read: UInt32 = 0
            let status = kuva_tiff_read_rows(pointer, rows.assumingMemoryBound(to: UInt8.self), &read)
            count = Int(read)
            return error(status)
        }

        private func error(_ status: kuva_tiff_status) -> ImageError? {
            let message = String(cString: kuva_tiff_error(pointer))
            switch status {
            case KUVA_TIFF_OK: return nil
            case KUVA_TIFF_UNSUPPORTED: return .unsupported("the TIFF", message)
            case KUVA_TIFF_NO_MEMORY: return .noMemory(toDecode: "a TIFF")
            default: return .corrupt("the TIFF", message)
            }
        }
    }
#endif
