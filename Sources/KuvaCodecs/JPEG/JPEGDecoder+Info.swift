internal import FoundationEssentials
internal import KuvaCore

extension JPEGDecoder {
    /// Checks what the header says against the limits, before any memory is taken for pixels, and describes it.
    func makeInfo(for header: JPEGHeader) throws(ImageError) -> ImageInfo {
        guard header.colour != .unknown else {
            throw .jpegUnsupported("it has \(header.componentCount) components without a colour space")
        }
        try options.limits.check(source: header.size)
        if header.holdsWholePicture, let count = header.size.pixelCount, count > options.limits.maximumOutputPixels {
            throw DecodeLimits.exceeded(
                "a JPEG of several scans is held whole, and one of \(header.size) pixels has more than "
                    + "\(options.limits.maximumOutputPixels)",
                "maximumOutputPixels"
            )
        }
        let (orientation, iccByteCount) = input.data.withUnsafeBytes { bytes in
            let segments = JPEGSegments(of: bytes)
            let block = segments.exif.flatMap { BoundedBytes(bytes).slice($0) }
            return (block.map { EXIF.orientation(in: $0) } ?? .up, segments.iccProfileByteCount)
        }
        let upright = orientation.isTransposed ? header.size.transposed : header.size
        let output = options.targetSize?.outputSize(for: upright) ?? upright
        try options.limits.check(output: output)
        return ImageInfo(
            format: .jpeg,
            storedSize: header.size,
            orientation: orientation,
            bitsPerChannel: header.bitsPerChannel,
            pixelDescription: header.description,
            iccProfileByteCount: iccByteCount,
            outputLayout: try PixelLayout(size: output, alpha: .opaque)
        )
    }
}
