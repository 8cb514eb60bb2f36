internal import CKuvaPixels

extension Image {
    /// The colour of one pixel as a viewer sees the picture, not multiplied by alpha; `nil` outside. A wholly
    /// transparent pixel gives ``Color/clear``. For tests and tools: one call a pixel is slow.
    public func color(x: Int, y: Int) -> Color? {
        guard let (red, green, blue, alpha) = pixels.rgba(x: x, y: y) else { return nil }
        guard alpha > 0 else { return .clear }
        guard pixels.layout.alpha != .straight, alpha < 255 else {
            return Color(red: red, green: green, blue: blue, alpha: alpha)
        }
        let straight = [red, green, blue].map { UInt8(min(255, (Int($0) * 255 + Int(alpha) / 2) / Int(alpha))) }
        return Color(red: straight[0], green: straight[1], blue: straight[2], alpha: alpha)
    }

    /// The colours of the pixels of a rectangle, row by row; of the part that lies in the picture.
    public func colors(in rect: PixelRect) -> [Color] {
        guard let rect = rect.clipped(to: pixelSize) else { return [] }
        return (rect.y..<(rect.y + rect.size.height)).flatMap { y in
            (rect.x..<(rect.x + rect.size.width)).compactMap { x in color(x: x, y: y) }
        }
    }

    /// How often each number occurs in each channel. Takes about a nanosecond for a pixel.
    public func histogram() -> ImageHistogram {
        var counts = [UInt64](repeating: 0, count: 4 * 256)
        guard pixels.layout.format == .rgba8 else { return ImageHistogram(counts) }
        pixels.withUnsafeRows { rows in
            for y in 0..<rows.size.height {
                let isStraight = pixels.layout.alpha == .straight
                kuva_pixels_histogram(&counts, rows.row(y), rows.size.width, isStraight ? 1 : 0)
            }
        }
        return ImageHistogram(counts)
    }
}

/// How often each number from 0 to 255 occurs in each channel of a picture.
///
/// Colours are not multiplied by alpha. Wholly transparent pixels have no colour and count in ``alpha`` only.
public struct ImageHistogram: Hashable, Sendable {
    /// Pixels with each red.
    public let red: [Int]
    /// Pixels with each green.
    public let green: [Int]
    /// Pixels with each blue.
    public let blue: [Int]
    /// Pixels with each alpha.
    public let alpha: [Int]

    init(_ counts: [UInt64]) {
        let channels = (0..<4).map { channel in counts[(channel * 256)..<(channel * 256 + 256)].map { Int($0) } }
        red = channels[0]
        green = channels[1]
        blue = channels[2]
        alpha = channels[3]
    }
}
