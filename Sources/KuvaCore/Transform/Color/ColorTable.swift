internal import CKuvaPixels

/// A change of each straight colour number by itself, and a colour for where the picture is transparent.
struct ColorTable {
    /// For red, green and blue, 256 numbers from 0 to 1.
    private let inside: [UInt16]
    /// Premultiplied, from 0 to 1, with alpha.
    private let outside: [UInt16]

    /// - Parameters:
    ///   - outside: what shines where the picture does not cover, premultiplied, with alpha; from 0 to 1.
    ///   - change: the new number of a channel (0 red, 1 green, 2 blue), from 0 to 1.
    init(outside: [Double] = [0, 0, 0, 0], _ change: (_ channel: Int, _ value: Double) -> Double) {
        inside = (0..<3).flatMap { channel in (0...255).map { Self.fixed(change(channel, Double($0) / 255)) } }
        self.outside = outside.map(Self.fixed)
    }

    private static func fixed(_ value: Double) -> UInt16 { UInt16((max(0, min(1, value)) * 65_535).rounded()) }

    func apply(to image: Image, pool: PixelBufferPool) throws(ImageError) -> Image {
        try image.redrawn(image.pixelSize, pool: pool) { source, target in
            target.mapPixels(of: source) { out, input, count in kuva_pixels_table(out, input, count, inside, outside) }
        }
    }
}
