import Foundation
import KuvaCore

/// Pixels as a test compares them: RGBA8 rows without padding.
struct Pixels: Equatable {
    let width: Int
    let height: Int
    var bytes: [UInt8]

    init(width: Int, height: Int, bytes: [UInt8]) {
        (self.width, self.height, self.bytes) = (width, height, bytes)
    }

    init(_ buffer: PixelBuffer) {
        let layout = buffer.layout
        let rows = buffer.withUnsafeBytes { all in
            (0..<layout.height).flatMap { all[$0 * layout.bytesPerRow..<$0 * layout.bytesPerRow + layout.width * 4] }
        }
        self.init(width: layout.width, height: layout.height, bytes: rows)
    }

    /// Reads a binary PNM file (P5 or P6 of 8 bits) as `djpeg` and `dwebp` write it; alpha is 255.
    init?(pnm data: Data) {
        var (numbers, position) = ([Int](), 2)
        let bytes = Array(data)
        guard bytes.count > 2, bytes[0] == UInt8(ascii: "P") else { return nil }
        while numbers.count < 3, position < bytes.count {
            var value = 0
            while position < bytes.count, bytes[position] <= 32 { position += 1 }
            while position < bytes.count, bytes[position] > 32 {
                value = value * 10 + Int(bytes[position]) - 48
                position += 1
            }
            numbers.append(value)
        }
        let channels = bytes[1] == UInt8(ascii: "5") ? 1 : 3
        let samples = bytes[(position + 1)...]
        guard numbers.count == 3, samples.count == numbers[0] * numbers[1] * channels else { return nil }
        var rgba = [UInt8](repeating: 255, count: numbers[0] * numbers[1] * 4)
        for pixel in 0..<numbers[0] * numbers[1] {
            for c in 0..<3 {
                rgba[pixel * 4 + c] = samples[samples.startIndex + pixel * channels + (channels == 3 ? c : 0)]
            }
        }
        self.init(width: numbers[0], height: numbers[1], bytes: rgba)
    }

    subscript(x: Int, y: Int) -> [UInt8] {
        get { Array(bytes[(y * width + x) * 4..<(y * width + x) * 4 + 4]) }
        set { bytes.replaceSubrange((y * width + x) * 4..<(y * width + x) * 4 + 4, with: newValue) }
    }

    func rows(_ range: Range<Int>) -> ArraySlice<UInt8> {
        bytes[range.lowerBound * width * 4..<range.upperBound * width * 4]
    }

    /// A binary PPM file of the colours.
    var ppm: Data {
        var data = Data("P6 \(width) \(height) 255\n".utf8)
        for pixel in 0..<width * height { data.append(contentsOf: bytes[pixel * 4..<pixel * 4 + 3]) }
        return data
    }

    /// Turns upright pixels back into what a file with this orientation stores, as EXIF 2.32, 4.6.4.A defines the tag
    /// by where row 0 and column 0 are seen.
    func stored(as orientation: Orientation) -> Pixels {
        let (w, h) = orientation.isTransposed ? (height, width) : (width, height)
        var result = Pixels(width: w, height: h, bytes: [UInt8](repeating: 0, count: bytes.count))
        for y in 0..<h {
            for x in 0..<w {
                let (u, v) =
                    switch orientation {
                    case .up: (x, y)  // row 0 is the top, column 0 the left side
                    case .upMirrored: (width - 1 - x, y)  // top, right
                    case .down: (width - 1 - x, height - 1 - y)  // bottom, right
                    case .downMirrored: (x, height - 1 - y)  // bottom, left
                    case .leftMirrored: (y, x)  // left, top
                    case .right: (width - 1 - y, x)  // right, top
                    case .rightMirrored: (width - 1 - y, height - 1 - x)  // right, bottom
                    case .left: (y, height - 1 - x)  // left, bottom
                    }
                let (from, to) = ((v * width + u) * 4, (y * w + x) * 4)
                for c in 0..<4 { result.bytes[to + c] = bytes[from + c] }
            }
        }
        return result
    }

    /// A picture with a gradient, an edge and some noise that is the same each time.
    static func sample(width: Int, height: Int, isGrey: Bool = false) -> Pixels {
        var (bytes, state) = ([UInt8](), UInt32(12345))
        for y in 0..<height {
            for x in 0..<width {
                state = state &* 1_664_525 &+ 1_013_904_223
                let noise = Int(state >> 28)
                let red = x * 239 / max(1, width - 1) + noise
                let green = isGrey ? red : y * 239 / max(1, height - 1) + noise
                let blue = isGrey ? red : (x + y) % 32 < 16 ? 40 : 200
                bytes += [UInt8(red), UInt8(green), UInt8(blue), 255]
            }
        }
        return Pixels(width: width, height: height, bytes: bytes)
    }
}

extension Pixels {
    /// How many rows from the top have no transparent pixel.
    var leadingOpaqueRows: Int {
        (0..<height).first { y in rows(y..<y + 1).enumerated().contains { $0.offset % 4 == 3 && $0.element != 255 } }
            ?? height
    }

    /// Whether all rows from `row` on are transparent black.
    func isClear(from row: Int) -> Bool { rows(row..<height).allSatisfy { $0 == 0 } }
}
