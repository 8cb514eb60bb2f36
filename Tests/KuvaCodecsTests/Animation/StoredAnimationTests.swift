import Foundation
import KuvaCodecs
import KuvaCore
import Testing

/// Frames of translucent pixels over others, as stored pixels: straight alpha.
@Suite("Stored pixels of animations", .enabled(if: Tool.python != nil))
struct StoredAnimationTests {
    private func frames(_ file: Data) throws -> [Pixels] {
        try AnimationDecoding(file, options: DecodeOptions(pixels: .stored)).allFrames().map(\.pixels)
    }

    /// By hand (PNG third edition, §13.16): 200, 100, 0 of alpha 128 over 100, 50, 250 of 128. Above has a part of
    /// 128 × 255 = 32,640 and below of 127 × 128 = 16,256, together 48,896 of 65,025, which is an alpha of 191.7; red is
    /// (200 × 32,640 + 100 × 16,256) / 48,896 = 166.8, green 83.4, blue 83.1.
    @Test func apng() throws {
        let script = """
            import sys, zlib, struct
            def chunk(t, b): return struct.pack('>I', len(b)) + t + b + struct.pack('>I', zlib.crc32(t + b))
            def control(n, blend): return chunk(b'fcTL', struct.pack('>IIIIIHHBB', n, 1, 1, 0, 0, 1, 10, 0, blend))
            def row(*pixel): return zlib.compress(bytes((0, *pixel)))
            sys.stdout.buffer.write(b'\\x89PNG\\r\\n\\x1a\\n'
                + chunk(b'IHDR', struct.pack('>IIBBBBB', 1, 1, 8, 6, 0, 0, 0)) + chunk(b'acTL', struct.pack('>II', 3, 0))
                + control(0, 0) + chunk(b'IDAT', row(100, 50, 250, 128))
                + control(1, 1) + chunk(b'fdAT', struct.pack('>I', 2) + row(200, 100, 0, 128))
                + control(3, 0) + chunk(b'fdAT', struct.pack('>I', 4) + row(7, 8, 9, 3)) + chunk(b'IEND', b''))
            """
        let shown = try frames(try Tool.run(#require(Tool.python), "-c", script))
        #expect(shown.map(\.bytes) == [[100, 50, 250, 128], [167, 83, 83, 192], [7, 8, 9, 3]])
    }

    /// Noise of all alphas in frames that cover parts of each other, against libwebp's own compositor in Pillow.
    @Test(.enabled(if: Tool.isPresent("webpmux") && Tool.hasWebP), arguments: ["+b", "-b"], ["0", "1"])
    func webp(blend: String, disposal: String) throws {
        let script = """
            import sys, random, subprocess, tempfile, os; from PIL import Image, ImageSequence
            random.seed(5); folder = tempfile.mkdtemp(); args = ['webpmux']
            for n, (w, h, x, y) in enumerate([(20, 16, 0, 0), (12, 10, 4, 2), (10, 12, 8, 4), (20, 16, 0, 0), (6, 6, 2, 2)]):
                p = bytes(random.choice((0, 255, random.randrange(256))) for _ in range(w * h * 4))
                name = os.path.join(folder, f'{n}.webp')
                Image.frombytes('RGBA', (w, h), p).save(name, lossless=True, exact=True)
                args += ['-frame', name, f'+50+{x}+{y}+\(disposal)\(blend)']
            out = os.path.join(folder, 'all.webp')
            subprocess.run(args + ['-o', out], check=True, capture_output=True)
            i = Image.open(out); frames = [f.convert('RGBA').tobytes() for f in ImageSequence.Iterator(i)]
            file = open(out, 'rb').read()
            for name in os.listdir(folder): os.unlink(os.path.join(folder, name))
            os.rmdir(folder)
            sys.stdout.buffer.write(len(file).to_bytes(4, 'big') + file + b''.join(frames))
            """
        let answer = [UInt8](try Tool.run(#require(Tool.python), "-c", script))
        let count = answer[..<4].reduce(0) { $0 << 8 | Int($1) }
        let shown = try frames(Data(answer[4..<4 + count]))
        #expect(shown.count == 5)
        for (index, frame) in shown.enumerated() {
            let start = 4 + count + index * 1280
            let theirs = Pixels(width: 20, height: 16, bytes: Array(answer[start..<start + 1280]))
            let isEqual = frame.withoutHiddenColour == theirs.withoutHiddenColour
            #expect(isEqual, "frame \(index)")
        }
    }
}
