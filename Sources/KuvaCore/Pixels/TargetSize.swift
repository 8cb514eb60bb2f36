/// The size in which a picture is wanted, in pixels, and how it is made to fit.
///
/// Decoders use it to decode less: a photograph of 12 megapixels for a cell of 300 pixels never exists in full.
public struct TargetSize: Hashable, Sendable {
    /// How a picture of other proportions meets the box.
    public enum Mode: Hashable, Sendable {
        /// The whole picture inside the box; one side may be shorter than the box.
        case aspectFit
        /// The box covered by the picture; one side may be longer than the box. Nothing is cut off.
        case aspectFill
        /// Exactly the box; proportions may change.
        case exact
    }

    /// The box.
    public var size: PixelSize
    /// How the picture meets the box.
    public var mode: Mode
    /// Whether a picture smaller than the box is made larger; `false` by default.
    public var allowsUpscaling: Bool

    /// Makes a target; sides below 1 count as 1.
    public init(_ size: PixelSize, mode: Mode = .aspectFit, allowsUpscaling: Bool = false) {
        self.size = PixelSize(width: max(1, size.width), height: max(1, size.height))
        self.mode = mode
        self.allowsUpscaling = allowsUpscaling
    }

    /// The size that a picture of `source` pixels (upright) gets: proportions kept as the mode says, sides rounded to
    /// the nearest pixel, never below 1, never above the source unless upscaling is allowed.
    public func outputSize(for source: PixelSize) -> PixelSize {
        guard !source.isEmpty else { return source }
        if mode == .exact {
            guard !allowsUpscaling else { return size }
            return PixelSize(width: min(size.width, source.width), height: min(size.height, source.height))
        }
        let horizontal = Double(size.width) / Double(source.width)
        let vertical = Double(size.height) / Double(source.height)
        let factor = mode == .aspectFit ? min(horizontal, vertical) : max(horizontal, vertical)
        guard factor < 1 || allowsUpscaling else { return source }
        return PixelSize(width: Self.scaled(source.width, by: factor), height: Self.scaled(source.height, by: factor))
    }

    private static func scaled(_ side: Int, by factor: Double) -> Int {
        let value = (Double(side) * factor).rounded()
        return value >= Double(Int32.max) ? Int(Int32.max) : max(1, Int(value))
    }
}

extension TargetSize: CustomStringConvertible {
    /// A short canonical text that is part of cache keys, such as `fit300x200` or `fill300x200+up`.
    public var description: String {
        let name =
            switch mode {
            case .aspectFit: "fit"
            case .aspectFill: "fill"
            case .exact: "exact"
            }
        // Pieced together, since an interpolation takes several times as long and lists ask for many keys.
        return name + String(size.width) + "x" + String(size.height) + (allowsUpscaling ? "+up" : "")
    }
}
