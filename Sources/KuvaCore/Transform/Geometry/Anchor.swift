/// Where in a box something stands: at a corner, at the middle of a side, or in the centre.
public enum Anchor: String, Hashable, Sendable, CaseIterable {
    /// At the top left corner.
    case topLeft = "top-left"
    /// At the middle of the top side.
    case top
    /// At the top right corner.
    case topRight = "top-right"
    /// At the middle of the left side.
    case left
    /// In the centre.
    case center
    /// At the middle of the right side.
    case right
    /// At the bottom left corner.
    case bottomLeft = "bottom-left"
    /// At the middle of the bottom side.
    case bottom
    /// At the bottom right corner.
    case bottomRight = "bottom-right"

    /// The rectangle of `size` that stands here in a box; where pixels do not halve, it stands further left or up. It
    /// may reach out of the box.
    func place(_ size: PixelSize, in box: PixelSize) -> PixelRect {
        PixelRect(
            x: Self.start(size.width, in: box.width, half: horizontalHalves),
            y: Self.start(size.height, in: box.height, half: verticalHalves),
            width: size.width,
            height: size.height
        )
    }

    private static func start(_ length: Int, in box: Int, half: Int) -> Int { (half * (box - length)) >> 1 }

    private var horizontalHalves: Int {
        switch self {
        case .topLeft, .left, .bottomLeft: 0
        case .top, .center, .bottom: 1
        case .topRight, .right, .bottomRight: 2
        }
    }

    private var verticalHalves: Int {
        switch self {
        case .topLeft, .top, .topRight: 0
        case .left, .center, .right: 1
        case .bottomLeft, .bottom, .bottomRight: 2
        }
    }
}
