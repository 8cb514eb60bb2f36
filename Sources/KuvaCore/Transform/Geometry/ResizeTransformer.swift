/// Scales a picture to a size in pixels, with a Lanczos filter of three lobes.
///
/// To decode less in the first place, set ``ImageRequest/targetSize``; this transformer is for what a decoder cannot do.
/// Key: `resize(300x200,aspect-fill)`, with `,up` where upscaling is allowed.
public struct ResizeTransformer: ImageTransformer, Hashable {
    /// How a picture of other proportions meets the size.
    public enum Mode: String, Hashable, Sendable, CaseIterable {
        /// Exactly the size; proportions may change.
        case fill
        /// The whole picture within the size; one side may be shorter.
        case aspectFit = "aspect-fit"
        /// The whole picture within the size, and transparent bars, so that the result has the size exactly.
        case aspectFitPadded = "aspect-fit-padded"
        /// The size covered by the picture; what reaches out is cut off on both sides alike.
        case aspectFill = "aspect-fill"
    }

    /// The size wanted.
    public let size: PixelSize
    /// How a picture of other proportions meets the size.
    public let mode: Mode
    /// Whether a picture smaller than the size is made larger. Where not, sides that are shorter than wanted stay
    /// shorter, but for bars.
    public let allowsUpscaling: Bool

    /// Makes a transformer; sides are cut to 1...65,535.
    public init(_ size: PixelSize, mode: Mode = .fill, allowsUpscaling: Bool = false) {
        self.size = PixelSize(width: max(1, min(65_535, size.width)), height: max(1, min(65_535, size.height)))
        self.mode = mode
        self.allowsUpscaling = allowsUpscaling
    }

    /// The canonical text of size, mode and upscaling.
    public var key: String {
        TransformKey.make("resize", ["\(size)", mode.rawValue] + (allowsUpscaling ? ["up"] : []))
    }

    /// The picture in its new size; the same picture where that is its size already.
    ///
    /// - Throws: ``ImageError`` with the code `limit-exceeded` for a result above the default ``DecodeLimits``, or
    ///   `out-of-memory`.
    public func transform(_ image: Image, pool: PixelBufferPool) throws(ImageError) -> Image {
        let source = image.pixelSize
        switch mode {
        case .fill: return try image.resized(to: scaledSize(of: source, .exact), pool: pool)
        case .aspectFit: return try image.resized(to: scaledSize(of: source, .aspectFit), pool: pool)
        case .aspectFitPadded:
            let fitted = try image.resized(to: scaledSize(of: source, .aspectFit), pool: pool)
            return try fitted.placed(.center, in: size, pool: pool)
        case .aspectFill: return try image.filling(size, allowsUpscaling: allowsUpscaling, pool: pool)
        }
    }

    private func scaledSize(of source: PixelSize, _ mode: TargetSize.Mode) -> PixelSize {
        TargetSize(size, mode: mode, allowsUpscaling: allowsUpscaling).outputSize(for: source)
    }
}

extension ImageTransformer where Self == ResizeTransformer {
    /// Scales to a size in pixels; see ``ResizeTransformer``.
    public static func resize(
        _ size: PixelSize,
        mode: ResizeTransformer.Mode = .fill,
        allowsUpscaling: Bool = false
    ) -> ResizeTransformer {
        ResizeTransformer(size, mode: mode, allowsUpscaling: allowsUpscaling)
    }

    /// The whole picture, made smaller so that no side is longer than `maximumSide` pixels; never larger.
    public static func thumbnail(_ maximumSide: Int) -> ResizeTransformer {
        ResizeTransformer(PixelSize(width: maximumSide, height: maximumSide), mode: .aspectFit)
    }
}

extension Image {
    /// Scaled to exactly a size.
    func resized(to size: PixelSize, pool: PixelBufferPool) throws(ImageError) -> Image {
        guard size != pixelSize else { return self }
        return try redrawn(size, pool: pool) { source, target throws(ImageError) in
            try target.resample(
                source,
                horizontal: .lanczos(.horizontal, from: source.size.width, to: size.width),
                vertical: .lanczos(.vertical, from: source.size.height, to: size.height)
            )
        }
    }

    /// Scaled to cover a size and cut to it around the centre.
    func filling(_ size: PixelSize, allowsUpscaling: Bool, pool: PixelBufferPool) throws(ImageError) -> Image {
        let (width, height) = (Double(pixelSize.width), Double(pixelSize.height))
        let shrink = min(width / Double(size.width), height / Double(size.height))
        guard shrink > 1 || allowsUpscaling else {
            let box = PixelSize(width: min(size.width, pixelSize.width), height: min(size.height, pixelSize.height))
            return try placed(.center, in: box, pool: pool)
        }
        guard size != pixelSize else { return self }
        let (columns, rows) = (Double(size.width) * shrink, Double(size.height) * shrink)
        return try redrawn(size, pool: pool) { source, target throws(ImageError) in
            try target.resample(
                source,
                horizontally: .init(start: (width - columns) / 2, length: columns),
                vertically: .init(start: (height - rows) / 2, length: rows)
            )
        }
    }

    /// Put at a place in a canvas of another size: cut off where it reaches out, transparent where it does not reach.
    func placed(_ anchor: Anchor, in size: PixelSize, pool: PixelBufferPool) throws(ImageError) -> Image {
        guard size != pixelSize else { return self }
        let place = anchor.place(pixelSize, in: size)
        return try redrawn(size, pool: pool) { source, target in
            let seen = PixelRect(x: -place.x, y: -place.y, width: size.width, height: size.height)
            let part = seen.clipped(to: source.size)
            let isCovered = part?.size == size
            if !isCovered { target.clear() }
            if let part { source.part(part).copy(to: target, x: max(0, place.x), y: max(0, place.y)) }
            return isCovered && pixels.layout.alpha == .opaque ? .opaque : .premultiplied
        }
    }
}
