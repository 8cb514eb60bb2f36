internal import FoundationEssentials
internal import KuvaCore

extension JPEGDecoder {
    /// Checks what the header says against the limits, before any memory is taken for pixels, and describes it.
    func makeInfo(for header: JPEGHeader) throws(ImageError) -> (ImageInfo, ColourPlan) {
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
        let (orientation, profile) = try input.withBytes { bytes throws(ImageError) in
            let segments = JPEGSegments(of: bytes)
            let block = segments.exif.flatMap { BoundedBytes(bytes).slice($0) }
            try options.limits.check(profileByteCount: segments.iccProfileByteCount)
            return (
                block.map { EXIF.orientation(in: $0) } ?? usualOrientation,
                segments.iccProfile.flatMap { Array(bytes[$0]) }
            )
        }
        let description = profile.isEmpty ? .sRGB : ColourDescription.profile(profile, header.profilePixels)
        let colour = try ColourPlan(description, options: options)
        let layout = try options.outputLayout(
            storedSize: header.size,
            orientation: orientation,
            hasAlpha: false,
            colorSpace: colour.colorSpace
        )
        let info = ImageInfo(
            format: .jpeg,
            storedSize: header.size,
            orientation: orientation,
            bitsPerChannel: header.bitsPerChannel,
            pixelDescription: header.description,
            iccProfileByteCount: profile.count,
            outputLayout: layout
        )
        return (info, colour)
    }
}
