internal import FoundationEssentials
internal import KuvaCore

extension WebPDecoder {
    /// Reads the headers; `nil` until enough has come.
    func readHeader() throws(ImageError) -> (ImageInfo, WebPContainer.Frame, ColourPlan)? {
        try input.withBytes { bytes throws(ImageError) in
            try container.advance(in: bytes)
            return try describe(bytes)
        }
    }

    /// Goes on to count the frames of an animation. What is wrong with a later one is for its own decoding to say.
    func countFrames() -> Int {
        try? input.withBytes { bytes throws(ImageError) in try container.advance(in: bytes) }
        return max(1, min(container.frames.count, options.limits.maximumFrameCount))
    }

    private func describe(
        _ bytes: UnsafeRawBufferPointer
    ) throws(ImageError) -> (ImageInfo, WebPContainer.Frame, ColourPlan)? {
        let size: PixelSize
        let frame: WebPContainer.Frame
        var (hasAlpha, description) = (false, "animation")
        if let extended = container.extended, extended.isAnimated {
            guard let first = container.frames.first else {
                if container.isAtEnd { throw .webpCorrupt("it says that it is animated and has no frame") }
                return nil
            }
            (size, frame, hasAlpha) = (extended.canvasSize, first, extended.hasAlpha)
        } else {
            guard case .done(let features) = try WebPHandle.features(of: bytes) else { return nil }
            (size, hasAlpha) = (features.size, features.hasAlpha)
            frame = WebPContainer.Frame(x: 0, y: 0, size: size, duration: .zero, data: 0..<Int.max)
            description = features.isLossless ? "lossless" : "lossy"
        }
        // EXIF comes last in a file, and the size of the output depends on it.
        let awaitsEXIF = container.extended?.hasEXIF == true && container.exif == nil && !container.isAtEnd
        if awaitsEXIF, !input.isComplete { return nil }
        let orientation = container.exif.flatMap { BoundedBytes(bytes).slice($0) }.map { EXIF.orientation(in: $0) }
        let profile = container.iccProfile.flatMap { BoundedBytes(bytes).slice($0) }
        try options.limits.check(profileByteCount: profile?.count ?? 0)
        let colour = try ColourPlan(profile.map { .profile(Array($0), .rgb) } ?? .sRGB, options: options)
        let layout = try outputLayout(for: size, orientation ?? .up, hasAlpha: hasAlpha, colour.colorSpace)
        let info = ImageInfo(
            format: .webp,
            storedSize: size,
            orientation: orientation ?? .up,
            frameCount: max(1, container.frames.count),
            loopCount: container.extended?.isAnimated == true ? container.loopCount : nil,
            hasAlpha: hasAlpha,
            pixelDescription: description,
            iccProfileByteCount: container.iccProfile?.count ?? 0,
            outputLayout: layout
        )
        return (info, frame, colour)
    }

    private func outputLayout(
        for size: PixelSize,
        _ orientation: Orientation,
        hasAlpha: Bool,
        _ colorSpace: ColorSpace
    ) throws(ImageError) -> PixelLayout {
        let limits = options.limits
        try limits.check(source: size)
        guard container.frames.count <= limits.maximumFrameCount else {
            throw DecodeLimits.exceeded(
                "the WebP has more than \(limits.maximumFrameCount) frames",
                "maximumFrameCount"
            )
        }
        let layout = try options.outputLayout(
            storedSize: size,
            orientation: orientation,
            hasAlpha: hasAlpha,
            colorSpace: colorSpace
        )
        if let count = size.pixelCount, count > limits.maximumOutputPixels {
            throw DecodeLimits.exceeded(
                "a WebP is held whole before it is scaled, and one of \(size) pixels has more than "
                    + "\(limits.maximumOutputPixels)",
                "maximumOutputPixels"
            )
        }
        return layout
    }
}
