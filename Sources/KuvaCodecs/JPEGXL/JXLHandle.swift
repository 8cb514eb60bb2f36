#if JPEGXL
    internal import CKuvaJXL
    internal import FoundationEssentials
    internal import KuvaCore

    /// Owns one C reader; the only place that sees its pointer.
    final class JXLHandle {
        private let pointer: OpaquePointer

        /// - Parameter wantsSRGB: whether the library is asked for sRGB where it makes the colours itself.
        /// - Throws: `out-of-memory`.
        init(wantsSRGB: Bool) throws(ImageError) {
            guard let pointer = kuva_jxl_open(wantsSRGB ? 1 : 0) else { throw .noMemory(toDecode: "a JPEG XL") }
            self.pointer = pointer
        }

        deinit { kuva_jxl_close(pointer) }

        /// - Returns: `nil` while the headers have not come.
        func readInfo(_ input: InputBytes) throws(ImageError) -> kuva_jxl_info? {
            var info = kuva_jxl_info()
            let status = withBytes(input) { kuva_jxl_read_info(pointer, $0, $1, &info) }
            if status == KUVA_JXL_TRUNCATED, !input.isComplete { return nil }
            if let error = error(status) { throw error }
            return info
        }

        /// What the file says about the colours of the pixels that come out of it.
        func colours(_ info: kuva_jxl_info, limits: DecodeLimits) throws(ImageError) -> ColourDescription {
            guard info.pixels_icc_size > 0 else {
                return ColourDescription(
                    primaries: UInt8(clamping: info.colour_primaries),
                    transfer: UInt8(clamping: info.transfer_characteristics)
                )
            }
            try limits.check(profileByteCount: info.pixels_icc_size)
            var profile = [UInt8](repeating: 0, count: info.pixels_icc_size)
            guard kuva_jxl_copy_icc(pointer, &profile, profile.count) != 0 else { return .isUnknown }
            return .profile(profile, info.colour_channels == 1 ? .grey : .rgb)
        }

        enum Step {
            /// A frame, and how many ticks it is shown.
            case frame(ticks: UInt32)
            case end
            case needsMoreBytes
        }

        /// Goes to the next frame's header. What comes behind one that is broken is lost.
        func nextFrame(_ input: InputBytes) -> Step {
            var (ticks, isEnd): (UInt32, Int32) = (0, 0)
            switch withBytes(input, { kuva_jxl_next_frame(pointer, $0, $1, &ticks, &isEnd) }) {
            case KUVA_JXL_OK: return isEnd != 0 ? .end : .frame(ticks: ticks)
            case KUVA_JXL_TRUNCATED where !input.isComplete: return .needsMoreBytes
            default: return .end
            }
        }

        /// Decodes a frame into rows without gaps, and looks now and then at whether it is still to go on.
        ///
        /// - Returns: why the picture is only coarse or partly there, if it is.
        func decode(
            _ index: Int,
            _ input: InputBytes,
            _ options: DecodeOptions,
            into pixels: UnsafeMutableRawBufferPointer
        ) throws(ImageError) -> ImageError? {
            var hasPixels: Int32 = 0
            let start = pixels.baseAddress!.assumingMemoryBound(to: UInt8.self)
            let watcher = Watcher(options)
            kuva_jxl_set_watch(
                pointer,
                { Unmanaged<Watcher>.fromOpaque($0!).takeUnretainedValue().mayGoOn() ? 1 : 0 },
                Unmanaged.passUnretained(watcher).toOpaque()
            )
            defer { kuva_jxl_set_watch(pointer, nil, nil) }
            let status = withExtendedLifetime(watcher) {
                withBytes(input) {
                    kuva_jxl_decode(pointer, $0, $1, UInt32(index), start, pixels.count, &hasPixels)
                }
            }
            if let error = watcher.error { throw error }
            let error = error(status)
            if hasPixels != 0 { return error }
            throw error ?? .corrupt("the JPEG XL", "it has no picture")
        }

        /// Keeps why the work may not go on.
        private final class Watcher {
            private let options: DecodeOptions
            private(set) var error: ImageError?

            init(_ options: DecodeOptions) { self.options = options }

            func mayGoOn() -> Bool {
                do throws(ImageError) {
                    try options.checkpoint()
                    return true
                } catch {
                    self.error = error
                    return false
                }
            }
        }

        private func withBytes(
            _ input: InputBytes,
            _ body: (UnsafePointer<UInt8>?, Int) -> kuva_jxl_status
        ) -> kuva_jxl_status {
            input.data.withUnsafeBytes { body($0.baseAddress?.assumingMemoryBound(to: UInt8.self), $0.count) }
        }

        private func error(_ status: kuva_jxl_status) -> ImageError? {
            switch status {
            case KUVA_JXL_OK: nil
            case KUVA_JXL_TRUNCATED: .truncated("the JPEG XL", "before its picture does")
            case KUVA_JXL_NO_MEMORY: .noMemory(toDecode: "a JPEG XL")
            default: .corrupt("the JPEG XL", "libjxl cannot decode it")
            }
        }
    }
#endif
