#if HEIF
    internal import CKuvaHEIF
    internal import FoundationEssentials
    internal import KuvaCore

    /// Owns one C decoder for as long as the file's bytes are pinned; the only place that sees its pointer.
    struct HEIFHandle: ~Copyable {
        private let pointer: OpaquePointer

        /// Opens a file for the time of `body`.
        static func with<R>(
            _ input: InputBytes,
            limits: DecodeLimits,
            _ body: (borrowing HEIFHandle, kuva_heif_info) throws(ImageError) -> R
        ) throws(ImageError) -> R {
            try input.withBytes { bytes throws(ImageError) in
                let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
                guard let pointer = kuva_heif_open(start, bytes.count, UInt32(clamping: limits.maximumSide)) else {
                    throw .noMemory(toDecode: "a HEIF")
                }
                let handle = HEIFHandle(pointer: pointer)
                var info = kuva_heif_info()
                try handle.check(kuva_heif_read_info(pointer, &info))
                return try body(handle, info)
            }
        }

        private init(pointer: OpaquePointer) { self.pointer = pointer }

        deinit { kuva_heif_close(pointer) }

        /// What the file says about its colours: the profile before the numbers.
        func colours(_ info: kuva_heif_info, limits: DecodeLimits) throws(ImageError) -> ColourDescription {
            guard info.icc_size > 0 else {
                return ColourDescription(
                    primaries: UInt8(clamping: info.colour_primaries),
                    transfer: UInt8(clamping: info.transfer_characteristics)
                )
            }
            try limits.check(profileByteCount: info.icc_size)
            var profile = [UInt8](repeating: 0, count: info.icc_size)
            guard kuva_heif_copy_icc(pointer, &profile) != 0 else { return .isUnknown }
            return .profile(profile, .rgb)
        }

        /// Decodes the picture and lends its rows to `body`.
        func decode<R>(
            _ body: (_ rows: UnsafeRawPointer, _ bytesPerRow: Int, _ size: PixelSize) throws(ImageError) -> R
        ) throws(ImageError) -> R {
            var rows: UnsafePointer<UInt8>?
            var bytesPerRow = 0
            var (width, height): (UInt32, UInt32) = (0, 0)
            try check(kuva_heif_decode(pointer, &rows, &bytesPerRow, &width, &height))
            guard let rows else { throw .corrupt("the HEIF", "its picture has no pixels") }
            return try body(rows, bytesPerRow, PixelSize(width: Int(width), height: Int(height)))
        }

        private func check(_ status: kuva_heif_status) throws(ImageError) {
            let message = String(cString: kuva_heif_error(pointer))
            switch status {
            case KUVA_HEIF_OK: return
            case KUVA_HEIF_UNSUPPORTED: throw .unsupported("the HEIF", message)
            case KUVA_HEIF_NO_MEMORY: throw .noMemory(toDecode: "a HEIF")
            default: throw .corrupt("the HEIF", message)
            }
        }
    }
#endif
