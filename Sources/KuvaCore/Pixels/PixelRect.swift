/// A rectangle of whole pixels; the origin is the top left pixel of the picture as a viewer sees it.
public struct PixelRect: Hashable, Sendable, CustomStringConvertible {
    /// The first column.
    public var x: Int
    /// The first row.
    public var y: Int
    /// Width and height.
    public var size: PixelSize

    /// Makes a rectangle; nothing is checked.
    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        size = PixelSize(width: width, height: height)
    }

    /// Makes a rectangle; nothing is checked.
    public init(x: Int, y: Int, size: PixelSize) {
        self.x = x
        self.y = y
        self.size = size
    }

    /// `640x480+10+20`, the size before the origin.
    public var description: String { "\(size)\(x < 0 ? "" : "+")\(x)\(y < 0 ? "" : "+")\(y)" }

    /// Whether there is no pixel in it.
    public var isEmpty: Bool { size.isEmpty }

    /// The part that lies in a picture of the given size; `nil` where there is none.
    public func clipped(to picture: PixelSize) -> PixelRect? {
        guard !isEmpty, !picture.isEmpty else { return nil }
        let (left, top) = (max(0, x), max(0, y))
        let right = min(picture.width, Self.end(x, size.width))
        let bottom = min(picture.height, Self.end(y, size.height))
        guard left < right, top < bottom else { return nil }
        return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
    }

    /// The part that lies in a picture of the given size; empty, at the nearest place inside, where there is none.
    public func clamped(to picture: PixelSize) -> PixelRect {
        let nearest = PixelRect(
            x: min(max(0, x), picture.width),
            y: min(max(0, y), picture.height),
            width: 0,
            height: 0
        )
        return clipped(to: picture) ?? nearest
    }

    private static func end(_ start: Int, _ length: Int) -> Int {
        let (sum, overflow) = start.addingReportingOverflow(length)
        return overflow ? .max : sum
    }
}
