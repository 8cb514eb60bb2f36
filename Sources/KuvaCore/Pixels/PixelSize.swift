/// A width and a height in pixels.
public struct PixelSize: Hashable, Sendable, CustomStringConvertible {
    /// Pixels from left to right.
    public var width: Int
    /// Pixels from top to bottom.
    public var height: Int

    /// Makes a size; nothing is checked.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// `640x480`.
    public var description: String { "\(width)x\(height)" }

    /// Whether there is no pixel in it.
    public var isEmpty: Bool { width <= 0 || height <= 0 }

    /// The size with its sides exchanged, as a quarter turn does.
    public var transposed: PixelSize { PixelSize(width: height, height: width) }

    /// The number of pixels, or `nil` if a side is negative or the product does not fit in an `Int`.
    public var pixelCount: Int? {
        guard width >= 0, height >= 0 else { return nil }
        let (product, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow ? nil : product
    }
}
