#if JPEGXL
    internal import CKuvaJXL
    internal import FoundationEssentials
    internal import KuvaCore

    /// Reads JPEG XL (ISO/IEC 18181), bare or boxed, through libjxl: still pictures and animations, turned once as the
    /// codestream says.
    ///
    /// The library holds the whole picture, so its pixels count against ``DecodeLimits/maximumOutputPixels``. A still
    /// picture waits for the whole file; of one that is cut off, the coarser picture that its parts give is shown. Colours
    /// become sRGB, those of PQ and HLG as ``ToneMap`` says; but colour that the file has multiplied by alpha stays what
    /// it is.
    final class JXLFile: SequenceFile {
        let info: ImageInfo
        private(set) var hasAllFrames = false
        private let handle: JXLHandle
        private let header: kuva_jxl_info
        private let rowAlpha: FrameWriter.RowAlpha
        private let colour: ColourPlan
        private let options: DecodeOptions
        /// How many ticks each frame is shown. Only the header of the last one is known to have come.
        private var ticks: [UInt32] = []
        private var isComplete = false

        private init(
            _ handle: JXLHandle,
            _ header: kuva_jxl_info,
            _ colours: ColourDescription,
            _ options: DecodeOptions
        ) throws(ImageError) {
            let size = PixelSize(width: Int(header.width), height: Int(header.height))
            try options.limits.check(heldWhole: size, "a JPEG XL")
            let orientation = Orientation(rawValue: Int(header.orientation)) ?? .up
            let hasAlpha = header.has_alpha != 0
            rowAlpha = hasAlpha ? header.is_premultiplied != 0 ? .premultiplied : .straight : .opaque
            colour = try ColourPlan(
                rowAlpha == .premultiplied && colours != .sRGB ? .isUnknown : colours,
                options: options
            )
            (self.handle, self.header, self.options) = (handle, header, options)
            info = ImageInfo(
                format: .jpegXL,
                storedSize: size,
                orientation: orientation,
                frameCount: 1,
                loopCount: header.is_animated != 0 ? Int(header.loop_count) : nil,
                bitsPerChannel: Int(header.bits_per_channel),
                hasAlpha: hasAlpha,
                pixelDescription: (header.colour_channels == 1 ? "grey" : "colour") + (hasAlpha ? " and alpha" : ""),
                iccProfileByteCount: header.icc_size,
                outputLayout: try options.outputLayout(
                    storedSize: size,
                    orientation: orientation,
                    rowAlpha: rowAlpha,
                    colorSpace: colour.colorSpace
                )
            )
        }

        static func open(
            _ input: InputBytes,
            format: ImageFormat,
            options: DecodeOptions
        ) throws(ImageError) -> JXLFile? {
            let handle = try JXLHandle(wantsSRGB: options.pixels == .display)
            guard let header = try handle.readInfo(input), input.isComplete || header.is_animated != 0 else {
                return nil
            }
            return try JXLFile(handle, header, handle.colours(header, limits: options.limits), options)
        }

        var frameCount: Int { max(1, ticks.count) }

        func update(_ input: InputBytes) throws(ImageError) {
            isComplete = input.isComplete
            if header.is_animated == 0 { hasAllFrames = true }
            while !hasAllFrames {
                switch handle.nextFrame(input) {
                case .frame(let duration): ticks.append(duration)
                case .end: hasAllFrames = true
                case .needsMoreBytes: return
                }
                guard ticks.count <= options.limits.maximumFrameCount else {
                    throw DecodeLimits.exceeded("the JPEG XL has too many frames", "maximumFrameCount")
                }
            }
        }

        func frame(at index: Int) -> AnimationFrame {
            let isWhole = index + 1 < ticks.count || hasAllFrames || isComplete
            guard header.is_animated != 0, header.ticks_numerator > 0, index < ticks.count else {
                return AnimationFrame(duration: nil, isWhole: isWhole)
            }
            let seconds = Int64(ticks[index]) * Int64(header.ticks_denominator)
            return AnimationFrame(duration: .seconds(seconds) / Int64(header.ticks_numerator), isWhole: isWhole)
        }

        func decode(
            _ index: Int,
            _ input: InputBytes,
            into canvas: inout PixelCanvas
        ) throws(ImageError) -> FrameInfo? {
            guard frame(at: index).isWhole else { return nil }
            if options.appliedOrientation(info.orientation) == .up, info.storedSize == info.outputLayout.size {
                let damage = try decodeRows(of: index, input, into: &canvas)
                var writer = try makeWriter(isDamaged: damage != nil)
                writer.writeDirectly(into: &canvas) { _, _ in info.storedSize.height }
                return FrameInfo(index: index, alpha: writer.finish(into: &canvas), damage: damage)
            }
            var stored = try PixelBufferPool.shared.canvas(PixelLayout(size: info.storedSize))
            let damage = try decodeRows(of: index, input, into: &stored)
            var writer = try makeWriter(isDamaged: damage != nil)
            let (bytesPerRow, height) = (stored.layout.bytesPerRow, stored.layout.height)
            stored.withUnsafeBytes { bytes in
                writer.write(bytes.baseAddress!, bytesPerRow: bytesPerRow, count: height, into: &canvas)
            }
            return FrameInfo(index: index, alpha: writer.finish(into: &canvas), damage: damage)
        }

        /// - Returns: why the picture is only coarse or partly there, if it is. Pixels left out are transparent.
        private func decodeRows(
            of index: Int,
            _ input: InputBytes,
            into stored: inout PixelCanvas
        ) throws(ImageError) -> ImageError? {
            stored.clear(rows: 0..<stored.layout.height)
            return try stored.withUnsafeMutableBytes { bytes throws(ImageError) in
                try handle.decode(index, input, options, into: bytes)
            }
        }

        private func makeWriter(isDamaged: Bool) throws(ImageError) -> FrameWriter {
            try FrameWriter(
                storedSize: info.storedSize,
                rowAlpha: isDamaged && rowAlpha == .opaque ? .straight : rowAlpha,
                orientation: options.appliedOrientation(info.orientation),
                output: info.outputLayout,
                converter: colour.converter
            )
        }
    }
#endif
