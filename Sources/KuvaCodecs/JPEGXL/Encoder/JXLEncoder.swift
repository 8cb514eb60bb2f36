#if JPEGXL
    internal import CKuvaJXLWrite
    public import FoundationEssentials
    public import KuvaCore

    /// Writes pixels as a bare JPEG XL codestream of 8 bits (ISO/IEC 18181), lossy or lossless, with alpha only where the
    /// pixels have it, through libjxl. The file says that its colours are sRGB. With the trait `JPEGXL`.
    public struct JXLEncoder: ImageEncoder {
        /// From 1, the fastest, to 9, the smallest files; 7 by default, as `cjxl` has it. Numbers outside count as the
        /// nearest inside.
        public var effort: Int

        /// Makes an encoder.
        public init(effort: Int = 7) { self.effort = effort }

        /// JPEG XL.
        public var format: ImageFormat { .jpegXL }

        /// Unless every pixel is to be kept.
        public func usesQuality(_ options: EncodeOptions) -> Bool { !options.isLossless }

        /// See ``ImageEncoder``. In lossy files alpha is lossy too. Lossless files of premultiplied pixels keep what straight alpha can
        /// say of them: alpha exactly, colour as near as its own rounding. The flag is looked at between pieces of the
        /// file.
        public func encode(_ pixels: PixelBuffer, options: EncodeOptions) throws(ImageError) -> Data {
            // What codestreams of level 5 may have (ISO/IEC 18181-1, annex M).
            let input = try EncoderInput(pixels, as: .jpegXL, maximumSide: 1 << 18, alpha: .straight, options: options)
            var settings = kuva_jxl_write_options()
            settings.distance = Self.distance(quality: Double(options.percentage))
            settings.effort = Int32(min(9, max(1, effort)))
            settings.is_lossless = options.isLossless ? 1 : 0
            settings.is_opaque = input.isOpaque ? 1 : 0
            let writer = try JXLWriter(input, settings)
            return try writer.file(input, cancellation: options.cancellation)
        }

        /// What `cjxl` makes of a quality of 0 to 100 (libjxl 0.9, `JxlEncoderDistanceFromQuality`): 1, what an eye can
        /// just see, at 90. Qualities below 17 are as good as that, since the library goes no further than 15; 100 is not
        /// lossless here.
        static func distance(quality: Double) -> Float {
            let distance =
                quality >= 30
                ? 0.1 + (100 - quality) * 0.09 : 53.0 / 3000 * quality * quality - 23.0 / 20 * quality + 25
            return Float(min(15, max(0.1, distance)))
        }
    }

    /// Owns the C writer of one JPEG XL; the only place that sees its pointer. One thread at a time.
    private struct JXLWriter: ~Copyable {
        private let pointer: OpaquePointer

        init(_ input: EncoderInput, _ settings: kuva_jxl_write_options) throws(ImageError) {
            let made = input.pixels.withUnsafeBytes { bytes in
                var settings = settings
                let rows = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
                return kuva_jxl_writer_new(rows, input.bytesPerRow, input.width, input.height, &settings)
            }
            guard let made else { throw PixelBuffer.outOfMemory(.jpegXL) }
            pointer = made
        }

        deinit { kuva_jxl_writer_free(pointer) }

        func file(_ input: EncoderInput, cancellation: CancellationFlag?) throws(ImageError) -> Data {
            var file = Data()
            var piece = [UInt8](repeating: 0, count: 64 << 10)
            while true {
                try cancellation?.check()
                var written = 0
                let status = kuva_jxl_writer_drain(pointer, &piece, piece.count, &written)
                file.append(contentsOf: piece[..<written])
                switch status {
                case KUVA_JXL_WRITE_GOES_ON: continue
                case KUVA_JXL_WRITE_DONE:
                    try cancellation?.check()
                    return file
                case KUVA_JXL_WRITE_NO_MEMORY: throw PixelBuffer.outOfMemory(.jpegXL)
                default: throw input.refused(by: "libjxl")
                }
            }
        }
    }
#endif
