internal import Glibc

/// A rectangle with round corners over a grid of pixels, and how much of each pixel it covers: the exact area, in
/// 255ths.
struct RoundedRect {
    /// Size of the grid.
    let size: PixelSize
    /// How far all four sides lie inside the edges of the grid; at most half of a side.
    let inset: Double
    /// Radii, clockwise from the top left; those of neighbours do not overlap.
    let radii: [Double]

    /// A rectangle further inside by `distance`, with the same centres of its corners (CSS Backgrounds and Borders
    /// Level 3 §4.2); no radius falls below zero.
    func shrunk(by distance: Double) -> RoundedRect {
        let half = Double(min(size.width, size.height)) / 2
        return RoundedRect(
            size: size,
            inset: min(half, inset + distance),
            radii: radii.map { max(0, $0 - distance) }
        )
    }

    /// Whether a row is like its neighbours: away from all corners and from the upper and lower side.
    func isPlain(row: Int) -> Bool {
        let (above, below) = (Double(row), Double(size.height - row - 1))
        return above >= inset + max(radii[0], radii[1]) && below >= inset + max(radii[2], radii[3])
    }

    /// Writes the coverage of each pixel of a row into `size.width` bytes.
    func cover(row: Int, into out: UnsafeMutablePointer<UInt8>) {
        let band = Band(
            height: Self.overlap(Double(row), inset, Double(size.height) - inset),
            fromTop: (Double(row) - inset, Double(row) + 1 - inset),
            fromBottom: (Double(size.height - row - 1) - inset, Double(size.height - row) - inset)
        )
        let left = edge(band, top: radii[0], bottom: radii[3])
        let right = edge(band, top: radii[1], bottom: radii[2])
        let (begin, end) = (min(left.free, size.width), max(0, size.width - right.free))
        let middle = min(left.full, size.width)..<max(min(left.full, size.width), size.width - right.full)
        out.update(repeating: 0, count: size.width)
        guard begin < end, band.height > 0 else { return }
        for x in begin..<min(middle.lowerBound, end) { out[x] = coverage(of: x, in: band) }
        for x in max(middle.upperBound, begin)..<max(middle.upperBound, begin, end) {
            out[x] = coverage(of: x, in: band)
        }
        (out + middle.lowerBound).update(repeating: UInt8((band.height * 255).rounded()), count: middle.count)
    }

    /// What a row of pixels has to do with the upper and lower sides of the rectangle.
    private struct Band {
        /// How much of the row's height lies inside.
        let height: Double
        /// Distances of the row's sides from the upper side.
        let fromTop: (Double, Double)
        /// Distances of the row's sides from the lower side.
        let fromBottom: (Double, Double)
    }

    /// How many pixels from the side are not covered at all, and how many the side or its corners touch.
    private func edge(_ band: Band, top: Double, bottom: Double) -> (free: Int, full: Int) {
        var (free, full) = (inset, inset)
        for (rows, radius) in [(band.fromTop, top), (band.fromBottom, bottom)] where rows.0 < radius {
            let (low, high) = (max(0, radius - rows.1), min(radius, radius - rows.0))
            free = max(free, inset + radius - max(0, radius * radius - low * low).squareRoot())
            full = max(full, inset + radius - max(0, radius * radius - high * high).squareRoot())
        }
        return (Int(free), Int(full.rounded(.up)))
    }

    private func coverage(of x: Int, in band: Band) -> UInt8 {
        let width = Self.overlap(Double(x), inset, Double(size.width) - inset)
        let fromLeft = (Double(x) - inset, Double(x) + 1 - inset)
        let fromRight = (Double(size.width - x - 1) - inset, Double(size.width - x) - inset)
        let free =
            Self.free(fromLeft, band.fromTop, radii[0]) + Self.free(fromRight, band.fromTop, radii[1])
            + Self.free(fromRight, band.fromBottom, radii[2]) + Self.free(fromLeft, band.fromBottom, radii[3])
        return UInt8((max(0, width * band.height - free) * 255).rounded())
    }

    /// How much of the pixel from `start` on lies between two bounds.
    private static func overlap(_ start: Double, _ low: Double, _ high: Double) -> Double {
        max(0, min(start + 1, high) - max(start, low))
    }

    /// The area of a box, given by its distances from the two sides of a corner, that lies outside the corner's circle.
    private static func free(_ x: (Double, Double), _ y: (Double, Double), _ radius: Double) -> Double {
        // Distances from the centre of the circle, inside the square of the corner.
        let (near, far) = (radius - min(radius, x.1), radius - max(0, x.0))
        let (low, high) = (radius - min(radius, y.1), radius - max(0, y.0))
        guard near < far, low < high, far * far + high * high > radius * radius else { return 0 }
        let box = (far - near) * (high - low)
        guard near * near + low * low < radius * radius else { return box }
        // Up to `flat` the circle is above the box, from `end` on below it.
        let flat = max(near, min(far, (max(0, radius * radius - high * high)).squareRoot()))
        let end = max(near, min(far, (max(0, radius * radius - low * low)).squareRoot()))
        let under = (flat - near) * (high - low) + integral(end, radius) - integral(flat, radius) - (end - flat) * low
        return max(0, box - under)
    }

    /// The area under a quarter of a circle from 0 to `x`.
    private static func integral(_ x: Double, _ radius: Double) -> Double {
        let part = min(1, x / radius)
        return (x * (max(0, radius * radius - x * x)).squareRoot() + radius * radius * asin(part)) / 2
    }
}
