import Foundation
import KuvaCore

/// Pixels that another program has decoded.
enum Reference {
    /// What Pillow makes of the first picture in a file: straight RGBA8, row by row.
    static func pillow(_ data: Data) throws -> [UInt8] {
        let script = """
            import sys; from PIL import Image
            i = Image.open(sys.argv[1]); i.load()
            sys.stdout.buffer.write(i.convert('RGBA').tobytes())
            """
        return Array(try Tool.run(Tool.python ?? "python3", "-c", script, "@in", input: data))
    }

    /// What ImageMagick makes of the first picture in a file, whose format it is told: straight RGBA8, row by row.
    static func imageMagick(_ data: Data, _ format: String) throws -> [UInt8] {
        Array(try Tool.run("convert", "\(format):@in[0]", "-depth", "8", "RGBA:@out", input: data))
    }

    /// What Pillow, or where it cannot read the file ImageMagick, makes of it: colours multiplied by alpha.
    static func anyProgram(_ data: Data, _ format: String) throws -> [UInt8] {
        premultiplied(try (try? pillow(data)) ?? imageMagick(data, format))
    }

    /// Straight colours multiplied by alpha, rounded to nearest: round(c × a / 255).
    static func premultiplied(_ rgba: [UInt8]) -> [UInt8] {
        var result = rgba
        result.withUnsafeMutableBufferPointer { bytes in
            for pixel in stride(from: 0, to: bytes.count, by: 4) where bytes[pixel + 3] != 255 {
                let alpha = Int(bytes[pixel + 3])
                for c in pixel..<pixel + 3 { bytes[c] = UInt8((Int(bytes[c]) * alpha * 2 + 255) / 510) }
            }
        }
        return result
    }

    /// The largest difference between two pictures in one channel of one pixel; `nil` if their sizes differ. Expectations
    /// say it in a word, where a comparison of whole arrays would look for the shortest edit between them.
    static func largestDifference(_ a: [UInt8], _ b: [UInt8]) -> Int? {
        guard a.count == b.count else { return nil }
        return a.withUnsafeBufferPointer { a in
            b.withUnsafeBufferPointer { b in a.indices.reduce(0) { max($0, abs(Int(a[$1]) - Int(b[$1]))) } }
        }
    }
}

extension Pixels {
    /// Whether alpha is 0 or 255 everywhere, so that multiplied and straight colours are the same but for transparent
    /// pixels, which the corpus's hashes leave out.
    var hasOnlyFullAlpha: Bool {
        bytes.withUnsafeBufferPointer { all in
            stride(from: 3, to: all.count, by: 4).allSatisfy { all[$0] == 0 || all[$0] == 255 }
        }
    }

    /// The mean of each channel in each of 8 × 8 blocks, as the corpus's `probes.tsv` has them.
    var probes: [Double] {
        (0..<64).flatMap { block -> [Double] in
            let (i, j) = (block % 8, block / 8)
            let (xs, ys) = (
                i * width / 8..<max(i * width / 8 + 1, (i + 1) * width / 8),
                j * height / 8..<max(j * height / 8 + 1, (j + 1) * height / 8)
            )
            var sums = [0, 0, 0, 0]
            for y in ys { for x in xs { for c in 0..<4 { sums[c] += Int(bytes[(y * width + x) * 4 + c]) } } }
            return sums.map { Double($0) / Double(xs.count * ys.count) }
        }
    }
}

extension Pixels {
    /// Turns stored pixels to be upright: the turn that undoes one is itself, but for the two quarter turns.
    func upright(from orientation: Orientation) -> Pixels {
        stored(as: orientation == .left ? .right : orientation == .right ? .left : orientation)
    }

    /// See ``Reference/largestDifference(_:_:)``.
    func difference(from other: Pixels) -> Int? {
        width == other.width && height == other.height ? Reference.largestDifference(bytes, other.bytes) : nil
    }

    func difference(from other: [UInt8]) -> Int? { Reference.largestDifference(bytes, other) }

    /// Stored opaque pixels turned and scaled in one go, to hold decoders against that do it in strips.
    func scaled(to size: PixelSize, orientation: Orientation = .up) throws -> Pixels {
        var canvas = try PixelBufferPool.shared.canvas(PixelLayout(size: size))
        var writer = try FrameWriter(
            storedSize: PixelSize(width: width, height: height),
            rowAlpha: .opaque,
            orientation: orientation,
            output: canvas.layout
        )
        bytes.withUnsafeBytes { bytes in
            writer.write(bytes.baseAddress!, bytesPerRow: width * 4, count: height, into: &canvas)
        }
        let alpha = writer.finish(into: &canvas)
        return Pixels(canvas.freeze(alpha: alpha))
    }
}
