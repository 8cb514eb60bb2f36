/// How a stored picture must be turned and mirrored to be upright, numbered as in EXIF (tag 0x0112).
public enum Orientation: Int, Sendable, CaseIterable {
    /// As stored.
    case up = 1
    /// Mirrored left to right.
    case upMirrored = 2
    /// Upside down.
    case down = 3
    /// Mirrored top to bottom.
    case downMirrored = 4
    /// Mirrored along the diagonal from top left to bottom right.
    case leftMirrored = 5
    /// Stored a quarter turn anticlockwise: turn it clockwise to see it upright.
    case right = 6
    /// Mirrored along the diagonal from top right to bottom left.
    case rightMirrored = 7
    /// Stored a quarter turn clockwise: turn it anticlockwise to see it upright.
    case left = 8

    /// Whether the upright picture has the sides exchanged.
    public var isTransposed: Bool { rawValue >= 5 }
}
