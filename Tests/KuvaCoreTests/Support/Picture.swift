import KuvaCore
import KuvaTesting

/// RGBA8 pixels in an array, rows packed.
struct Picture: Equatable {
    let size: PixelSize
    var bytes: [UInt8]

    init(width: Int, height: Int, bytes: [UInt8]) {
        size = PixelSize(width: width, height: height)
        self.bytes = bytes
    }

    /// Noise over waves, so that filters meet both; alpha is random where `isOpaque` does not say otherwise, with whole
    /// runs of 0 and 255 among it.
    init(random width: Int, _ height: Int, isOpaque: Bool = false, seed: UInt64 = 1) {
        var generator = SeededGenerator(seed: seed &+ UInt64(width) << 32 &+ UInt64(height))
        var bytes: [UInt8] = []
        for index in 0..<(width * height) {
            let wave = index / 5 % 2 == 0 ? 200 : 40
            for _ in 0..<3 { bytes.append(UInt8(clamping: wave + Int.random(in: -60...60, using: &generator))) }
            let alphas: [UInt8] = [0, 255, UInt8.random(in: 0...255, using: &generator)]
            bytes.append(isOpaque ? 255 : alphas[index / 7 % 3])
        }
        self.init(width: width, height: height, bytes: bytes)
    }

    /// The four bytes of a pixel.
    subscript(x: Int, y: Int) -> [UInt8] {
        let offset = (y * size.width + x) * 4
        return Array(bytes[offset..<(offset + 4)])
    }

    /// Colour times alpha, rounded to nearest by integer division.
    var premultiplied: Picture {
        var copy = self
        for offset in stride(from: 0, to: bytes.count, by: 4) {
            let alpha = Int(bytes[offset + 3])
            for channel in 0..<3 {
                copy.bytes[offset + channel] = UInt8((2 * Int(bytes[offset + channel]) * alpha + 255) / 510)
            }
        }
        return copy
    }

    /// Colour cut to alpha.
    var clamped: Picture {
        var copy = self
        for offset in stride(from: 0, to: bytes.count, by: 4) {
            for channel in 0..<3 { copy.bytes[offset + channel] = min(bytes[offset + channel], bytes[offset + 3]) }
        }
        return copy
    }

    /// Rows from `count` on made transparent black.
    func keepingRows(_ count: Int) -> Picture {
        var copy = self
        for offset in (count * size.width * 4)..<bytes.count { copy.bytes[offset] = 0 }
        return copy
    }

    /// The largest difference of two bytes.
    func distance(to other: Picture) -> Int {
        guard size == other.size else { return .max }
        return zip(bytes, other.bytes).map { abs(Int($0) - Int($1)) }.max() ?? 0
    }
}

extension Picture {
    /// A poisoned canvas, written by `body`; what comes out of it.
    static func drawn(
        _ size: PixelSize,
        _ body: (inout PixelCanvas) throws -> AlphaMode
    ) throws -> (picture: Picture, alpha: AlphaMode) {
        var canvas = try PixelBufferPool(maximumFreeBytes: 0).canvas(PixelLayout(size: size))
        canvas.withUnsafeMutableBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: 0xAB) }
        let alpha = try body(&canvas)
        let bytes = canvas.withUnsafeBytes { Array($0) }
        return (Picture(width: size.width, height: size.height, bytes: bytes), alpha)
    }

    /// The picture as a frame writer puts it into a canvas of the given size.
    ///
    /// - Parameters:
    ///   - rows: how many rows come; all unless told.
    ///   - chunk: how many rows come at once.
    func written(
        as alpha: FrameWriter.RowAlpha,
        orientation: Orientation = .up,
        to output: PixelSize? = nil,
        rows: Int? = nil,
        chunk: Int = .max
    ) throws -> (picture: Picture, alpha: AlphaMode) {
        let output = output ?? (orientation.isTransposed ? size.transposed : size)
        return try Picture.drawn(output) { canvas in
            var writer = try FrameWriter(
                storedSize: size,
                rowAlpha: alpha,
                orientation: orientation,
                output: canvas.layout
            )
            let rowBytes = size.width * 4
            let end = rows ?? size.height
            bytes.withUnsafeBytes { bytes in
                while writer.rowCount < end {
                    let count = min(chunk, end - writer.rowCount)
                    let start = bytes.baseAddress! + writer.rowCount * rowBytes
                    writer.write(start, bytesPerRow: rowBytes, count: count, into: &canvas)
                }
            }
            return writer.finish(into: &canvas)
        }
    }
}
