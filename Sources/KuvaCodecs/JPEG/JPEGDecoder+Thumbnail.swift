internal import FoundationEssentials
internal import KuvaCore

extension JPEGDecoder {
    /// Draws the thumbnail that is in the EXIF block, in the size of the canvas.
    ///
    /// - Returns: whether there is a whole one of the picture's proportions; cameras also write some with black bars.
    func drawThumbnail(_ info: ImageInfo, into canvas: inout PixelCanvas) -> Bool {
        guard options.pixels == .display, let file = thumbnail(of: info.storedSize) else { return false }
        var inner = options
        inner.targetSize = TargetSize(info.outputLayout.size, mode: .exact, allowsUpscaling: true)
        inner.maximumFrameBytes = nil
        // Thumbnails are stored as the picture is, and have no profile of their own: it would not fit.
        let decoder = JPEGDecoder(options: inner, usualOrientation: info.orientation)
        decoder.append(file, isLast: true)
        guard case .done(let frame) = try? decoder.decodeFrame(into: &canvas) else { return false }
        return frame.damage == nil
    }

    /// The thumbnail of a picture, if its sides are within a fiftieth of the picture's proportions.
    private func thumbnail(of size: PixelSize) -> Data? {
        guard case .done(let metadata) = try? readMetadata(), let file = metadata.thumbnail else { return nil }
        let reader = JPEGDecoder(options: DecodeOptions(limits: options.limits))
        reader.append(file, isLast: true)
        guard case .done(let info) = try? reader.readInfo() else { return nil }
        let small = info.storedSize
        let (wide, high) = (Double(small.width) * Double(size.height), Double(small.height) * Double(size.width))
        return abs(wide / high - 1) <= 0.02 ? file : nil
    }
}
