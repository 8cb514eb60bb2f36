internal import KuvaCore

/// What is done to the colours of a picture, and what they mean afterwards.
struct ColourPlan: Sendable {
    /// Makes sRGB of rows; `nil` where nothing is to be done.
    let converter: (any PixelRowConverter)?
    /// What the colours mean in the canvas.
    let colorSpace: ColorSpace

    /// Colours that are sRGB.
    static let sRGB = ColourPlan(converter: nil, colorSpace: .sRGB)

    private init(converter: (any PixelRowConverter)?, colorSpace: ColorSpace) {
        self.converter = converter
        self.colorSpace = colorSpace
    }

    /// - Throws: ``ImageError`` with the code `limit-exceeded` for a profile past the limit, or `out-of-memory`.
    init(_ description: ColourDescription, options: DecodeOptions) throws(ImageError) {
        if case .profile(let bytes, _) = description { try options.limits.check(profileByteCount: bytes.count) }
        if options.pixels == .stored {
            // Nothing is converted, so that nobody waits for a transform to be made.
            self.init(converter: nil, colorSpace: description == .sRGB ? .sRGB : .unconverted)
            return
        }
        switch try ColourTransformCache.shared.outcome(for: description) {
        case .isSRGB: self = .sRGB
        case .isUnusable: self.init(converter: nil, colorSpace: .unconverted)
        case .converts(let transform): self.init(converter: transform, colorSpace: .sRGB)
        }
    }
}
