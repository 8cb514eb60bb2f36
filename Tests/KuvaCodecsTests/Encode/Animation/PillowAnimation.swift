import Foundation
import KuvaCore
import Testing

/// An animation as Pillow reads it.
struct PillowAnimation {
    /// What the file stores; -1 where it says nothing.
    let loop: Int
    /// Rounded.
    let milliseconds: [Int]
    /// Straight RGBA.
    let frames: [Pixels]

    init(_ file: Data) throws {
        let script = """
            import sys; from PIL import Image
            i = Image.open(sys.argv[1]); d, f = [], []
            for n in range(getattr(i, 'n_frames', 1)):
                i.seek(n); f.append(i.convert('RGBA').tobytes()); d.append(str(round(i.info.get('duration', 0))))
            head = [str(i.width), str(i.height), str(i.info.get('loop', -1))] + d
            sys.stdout.buffer.write(' '.join(head).encode() + b'\\n' + b''.join(f))
            """
        let output = try Tool.run(#require(Tool.python), "-c", script, "@in", input: file)
        let end = try #require(output.firstIndex(of: UInt8(ascii: "\n")))
        let numbers = String(decoding: output[..<end], as: UTF8.self).split(separator: " ").compactMap { Int($0) }
        let (width, height) = (numbers[0], numbers[1])
        loop = numbers[2]
        milliseconds = Array(numbers[3...])
        let bytes = [UInt8](output[(end + 1)...])
        let length = width * height * 4
        frames = stride(from: 0, to: bytes.count, by: length).map { start in
            Pixels(width: width, height: height, bytes: Array(bytes[start..<start + length]))
        }
    }
}

extension Pixels {
    /// The same as a picture.
    func buffer(alpha: AlphaMode = .premultiplied) throws -> PixelBuffer {
        let layout = try PixelLayout(size: PixelSize(width: width, height: height), alpha: alpha)
        var canvas = try PixelBufferPool.shared.canvas(layout)
        canvas.withUnsafeMutableBytes { $0.copyBytes(from: bytes) }
        return canvas.freeze(alpha: alpha)
    }
}
