internal import FoundationEssentials
internal import KuvaCore

/// Reads AVIF (AV1 Image File Format 1.1) through libavif and dav1d: still pictures, grids and layers, and the first
/// frame of a sequence.
///
/// Turning and mirroring are those of `irot` and `imir`, once; EXIF's orientation has no say (ISO/IEC 23008-12, A.2.3).
/// Samples of 10 and 12 bits come out as 8. A clean aperture is not cut out, as Pillow and avifdec do not.
///
/// The library holds the whole frame as YUV, so its pixels count against ``DecodeLimits/maximumOutputPixels``; RGB is
/// made in strips, straight into the canvas where nothing is scaled or turned. Of a grid that is cut off, the rows that
/// came are shown.
final class AVIFFile: PictureFile {
    let info: ImageInfo
    private let handle: AVIFHandle
    private let header: AVIFHeader
    private let options: DecodeOptions

    private init(_ handle: AVIFHandle, _ header: AVIFHeader, _ info: ImageInfo, _ options: DecodeOptions) {
        (self.handle, self.header, self.info, self.options) = (handle, header, info, options)
    }

    static func open(
        _ input: InputBytes,
        format: ImageFormat,
        options: DecodeOptions
    ) throws(ImageError) -> AVIFFile? {
        let handle = try AVIFHandle(limits: options.limits)
        guard let header = try handle.readHeader(input) else { return nil }
        try options.limits.check(heldWhole: header.size, "an AVIF")
        let upright = header.orientation.isTransposed ? header.size.transposed : header.size
        let output = options.targetSize?.outputSize(for: upright) ?? upright
        try options.limits.check(output: output)
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
            outputLayout: try PixelLayout(
                size: output,
                alpha: header.hasAlpha ? .premultiplied : .opaque,
                colorSpace: header.colorSpace
            )
        )
        return AVIFFile(handle, header, info, options)
    }

    func decode(_ input: InputBytes, into canvas: inout PixelCanvas) throws(ImageError) -> FrameInfo? {
        let outcome = try handle.decodeFrame(input)
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
        var writer = try FrameWriter(
            storedSize: header.size,
            rowAlpha: header.hasAlpha ? header.isPremultiplied ? .premultiplied : .straight : .opaque,
            orientation: header.orientation,
            output: info.outputLayout
        )
        if writer.isDirect {
            try writer.writeDirectly(into: &canvas) { rows, bytesPerRow throws(ImageError) in
                _ = try handle.convert(0..<count, into: rows.baseAddress!, bytesPerRow: bytesPerRow)
                return count
            }
        } else {
            try writeStrips(of: count, &writer, into: &canvas)
        }
        return FrameInfo(index: 0, alpha: writer.finish(into: &canvas), damage: damage)
    }

    private func writeStrips(
        of count: Int,
        _ writer: inout FrameWriter,
        into canvas: inout PixelCanvas
    ) throws(ImageError) {
        let strip = RowBuffer(width: header.size.width, extraRows: AVIFHandle.extraRows)
        while writer.rowCount < count {
            try options.cancellation?.check()
            let rows = writer.rowCount..<min(count, writer.rowCount + strip.rowCount / 2 * 2)
            let skip = try handle.convert(rows, into: strip.start, bytesPerRow: strip.bytesPerRow)
            let first = strip.start + skip * strip.bytesPerRow
            writer.write(first, bytesPerRow: strip.bytesPerRow, count: rows.count, into: &canvas)
        }
    }
}
