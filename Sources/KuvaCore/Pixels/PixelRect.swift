/// A rectangle of pixels; x grows to the right, y downwards.
public struct PixelRect: Hashable, Sendable, CustomStringConvertible {
    /// Columns from the left edge of the picture.
    public var x: Int
    /// Rows from its top.
    public var y: Int
    /// Width and height.
    public var size: PixelSize

    /// Makes a rectangle; nothing is checked.
    public init(x: Int, y: Int, size: PixelSize) {
        self.x = x
        self.y = y
        self.size = size
    }

    /// `10,20 640x480`.
    public var description: String { "\(x),\(y) \(size)" }

    /// The part of it that lies inside a picture of `size`; empty if none does.
    public func clipped(to size: PixelSize) -> PixelRect {
        let (left, top) = (min(max(0, x), size.width), min(max(0, y), size.height))
        // Sums are taken from the edges, so that no number from a file can overflow.
        let right = self.size.width > size.width - x ? size.width : x + self.size.width
        let bottom = self.size.height > size.height - y ? size.height : y + self.size.height
        return PixelRect(
            x: left,
            y: top,
            size: PixelSize(width: max(0, right - left), height: max(0, bottom - top))
        )
    }
}
