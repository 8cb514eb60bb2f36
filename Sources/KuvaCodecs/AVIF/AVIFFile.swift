internal import FoundationEssentials
internal import KuvaCore

/// Reads AVIF (AV1 Image File Format 1.1) through libavif and dav1d: still pictures, grids and layers, and sequences.
///
/// Turning and mirroring are those of `irot` and `imir`, once; EXIF's orientation has no say (ISO/IEC 23008-12, A.2.3).
/// Samples of 10 and 12 bits come out as 8; colours become sRGB by the profile or the numbers (`nclx`) that the file has,
/// those of PQ and HLG as ``ToneMap`` says. A clean aperture is not cut out, as Pillow and avifdec do not.
///
/// The library holds the whole frame as YUV, so its pixels count against ``DecodeLimits/maximumOutputPixels``; RGB is
/// made in strips, straight into the canvas where nothing is scaled or turned. An opaque picture of 8 bits that is wanted
/// at half its size or less is scaled in its planes, and RGB is made of what comes of them. Of a grid that is cut off, the rows that
/// came are shown; a sequence that is cut off has the frames that are whole.
final class AVIFFile: SequenceFile {
    let info: ImageInfo
    let handle: AVIFHandle
    let header: AVIFHeader
    private let rowAlpha: FrameWriter.RowAlpha
    let colour: ColourPlan
    let options: DecodeOptions
    private(set) var frameCount: Int
    private var input = InputBytes()

    private init(
        _ handle: AVIFHandle,
        _ header: AVIFHeader,
        _ info: ImageInfo,
        _ colour: ColourPlan,
        _ options: DecodeOptions
    ) {
        (self.handle, self.header, self.info, self.colour, self.options) = (handle, header, info, colour, options)
        rowAlpha = Self.rowAlpha(header, colour)
        frameCount = header.frameCount
    }

    /// Colours can be converted only where they are independent of alpha.
    private static func rowAlpha(_ header: AVIFHeader, _ colour: ColourPlan) -> FrameWriter.RowAlpha {
        header.rowAlpha == .premultiplied && colour.converter != nil ? .straight : header.rowAlpha
    }

    static func open(
        _ input: InputBytes,
        format: ImageFormat,
        options: DecodeOptions
    ) throws(ImageError) -> AVIFFile? {
        let handle = try AVIFHandle(limits: options.limits)
        guard let header = try handle.readHeader(input, limits: options.limits) else { return nil }
        try options.limits.check(heldWhole: header.size, "an AVIF")
        let colour = try ColourPlan(header.colours, options: options)
        let isSequence = header.frameCount > 1
        let info = ImageInfo(
            format: format,
            storedSize: header.size,
            orientation: header.orientation,
            frameCount: header.frameCount,
            loopCount: isSequence ? try input.withBoundedBytes { SequenceRepetition.loopCount(in: $0) } : nil,
            bitsPerChannel: header.bitsPerChannel,
            hasAlpha: header.hasAlpha,
            pixelDescription: header.pixelDescription,
            iccProfileByteCount: header.iccProfileByteCount,
            outputLayout: try options.outputLayout(
                storedSize: header.size,
                orientation: header.orientation,
                rowAlpha: rowAlpha(header, colour),
                colorSpace: colour.colorSpace
            )
        )
        return AVIFFile(handle, header, info, colour, options)
    }

    /// The boxes list all frames before the first.
    var hasAllFrames: Bool { true }

    func update(_ input: InputBytes) {
        self.input = input
        guard input.isComplete, frameCount > 1 else { return }
        // Frames lie one behind the other: the first that is cut off is found by halving.
        var (whole, cutOff) = (0, frameCount)
        while whole < cutOff {
            let middle = (whole + cutOff) / 2
            if handle.hasFrame(middle, inFirst: input.data.count) { whole = middle + 1 } else { cutOff = middle }
        }
        frameCount = max(1, whole)
    }

    func frame(at index: Int) -> AnimationFrame {
        let isWhole = input.isComplete || handle.hasFrame(index, inFirst: input.data.count)
        return AnimationFrame(duration: header.frameCount > 1 ? handle.duration(ofFrame: index) : nil, isWhole: isWhole)
    }

    func decode(
        _ index: Int,
        _ input: InputBytes,
        into canvas: inout PixelCanvas
    ) throws(ImageError) -> FrameInfo? {
        let outcome = try handle.decodeFrame(index, input)
        if case .needsMoreBytes = outcome { return nil }
        let (count, height) = (min(handle.rowCount, header.size.height), header.size.height)
        var damage: ImageError?
        if case .cutOff = outcome {
            let error = ImageError.truncated("the AVIF", "after \(count) of \(height) rows")
            guard count > 0 else { throw error }
            damage = error
        }
        guard handle.frameSize == header.size else {
            throw .corrupt("the AVIF", "it says \(header.size) pixels and its picture has \(handle.frameSize)")
        }
        if count == height, let alpha = try scaleInPlanes(into: &canvas) {
            return FrameInfo(index: index, alpha: alpha, damage: damage)
        }
        var writer = try FrameWriter(
            storedSize: header.size,
            rowAlpha: rowAlpha,
            orientation: options.appliedOrientation(header.orientation),
            output: info.outputLayout,
            converter: colour.converter
        )
        if writer.isDirect {
            try writer.writeDirectly(into: &canvas) { rows, bytesPerRow throws(ImageError) in
                _ = try handle.convert(
                    0..<count,
                    isStraight: rowAlpha == .straight,
                    into: rows.baseAddress!,
                    bytesPerRow: bytesPerRow
                )
                return count
            }
        } else {
            try writeStrips(of: count, &writer, into: &canvas)
        }
        return FrameInfo(index: index, alpha: writer.finish(into: &canvas), damage: damage)
    }

    private func writeStrips(
        of count: Int,
        _ writer: inout FrameWriter,
        into canvas: inout PixelCanvas
    ) throws(ImageError) {
        let strip = RowBuffer(width: header.size.width, extraRows: AVIFHandle.extraRows)
        while writer.rowCount < count {
            try options.checkpoint()
            let rows = writer.rowCount..<min(count, writer.rowCount + strip.rowCount / 2 * 2)
            let skip = try handle.convert(
                rows,
                isStraight: rowAlpha == .straight,
                into: strip.start,
                bytesPerRow: strip.bytesPerRow
            )
            let first = strip.start + skip * strip.bytesPerRow
            writer.write(first, bytesPerRow: strip.bytesPerRow, count: rows.count, into: &canvas)
        }
    }
}
