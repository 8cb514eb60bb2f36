/// A colour in sRGB, not multiplied by its alpha, eight bits a channel.
public struct Color: Hashable, Sendable, CustomStringConvertible {
    /// Red, 0 to 255.
    public var red: UInt8
    /// Green, 0 to 255.
    public var green: UInt8
    /// Blue, 0 to 255.
    public var blue: UInt8
    /// Opacity: 0 is transparent, 255 opaque.
    public var alpha: UInt8

    /// Makes a colour; opaque unless told otherwise.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// Makes an opaque colour from a number such as `0xFF8000`; bits above the lower 24 are ignored.
    public init(rgb: UInt32) {
        self.init(
            red: UInt8(truncatingIfNeeded: rgb >> 16),
            green: UInt8(truncatingIfNeeded: rgb >> 8),
            blue: UInt8(truncatingIfNeeded: rgb)
        )
    }

    /// The same colour with another opacity from 0 to 1, rounded; what is outside is cut, NaN counts as 0.
    public func opacity(_ opacity: Double) -> Color {
        var copy = self
        copy.alpha = UInt8((max(0, min(1, opacity.isNaN ? 0 : opacity)) * 255).rounded())
        return copy
    }

    /// `#rrggbb`, followed by the alpha as two more digits where it is not opaque.
    public var description: String {
        let channels = alpha == 255 ? [red, green, blue] : [red, green, blue, alpha]
        let digits = channels.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        return "#" + digits.joined()
    }

    /// Black, opaque.
    public static let black = Color(rgb: 0)
    /// White, opaque.
    public static let white = Color(rgb: 0xFF_FFFF)
    /// Black, transparent.
    public static let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)
}

extension Color {
    /// The colour multiplied by alpha and rounded to nearest, as pixels hold it.
    var premultiplied: [UInt8] {
        [red, green, blue].map { UInt8((2 * Int($0) * Int(alpha) + 255) / 510) } + [alpha]
    }
}
