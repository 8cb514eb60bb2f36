import Foundation
import KuvaTesting
import Testing

@testable import KuvaCLI

/// Frames, times and laps through `kuva convert`, read back by Pillow and listed by `kuva info`.
@Suite("kuva convert of animations", .timeLimit(.minutes(10)), .enabled(if: ExternalProgram.pillow != nil))
struct ConvertAnimationTests {
    let kuva: KuvaRun
    let python: ExternalProgram

    init() throws {
        kuva = try KuvaRun()
        python = try #require(ExternalProgram.pillow)
    }

    /// Three frames of 8 × 6: red, red with a green pixel at 5, 4, blue; 100, 50 and 70 ms; twice repeated.
    private func gif() async throws -> Data {
        let script = """
            import sys, io; from PIL import Image
            a = Image.new('RGB', (8, 6), (255, 0, 0)); b = a.copy(); b.putpixel((5, 4), (0, 255, 0))
            c = Image.new('RGB', (8, 6), (0, 0, 255)); o = io.BytesIO()
            a.save(o, 'GIF', save_all=True, append_images=[b, c], duration=[100, 50, 70], loop=2)
            sys.stdout.buffer.write(o.getvalue())
            """
        return try await python.run(["-c", script]).output
    }

    /// Size, loop count, times, and the pixels at 0, 0 and 5, 4 of each frame.
    private func read(_ file: Data) async throws -> String {
        let script = """
            import sys, io; from PIL import Image
            i = Image.open(io.BytesIO(sys.stdin.buffer.read())); t = [str(i.size), str(i.info.get('loop'))]
            for n in range(i.n_frames):
                i.seek(n); r = i.convert('RGB'); x = r.width * 5 // 8; y = r.height * 4 // 6
                t.append('%d %02x%02x%02x %02x%02x%02x' % ((round(i.info['duration']),) + r.getpixel((0, 0)) + r.getpixel((x, y))))
            print('; '.join(t), end='')
            """
        return String(decoding: try await python.run(["-c", script], input: file).output, as: UTF8.self)
    }

    private static let frames = "100 ff0000 ff0000; 50 ff0000 00ff00; 70 0000ff 0000ff"

    /// GIF stores repeats, the others laps: two repeats are three laps. Each back to GIF is what it was.
    @Test(arguments: [("png", "apng", "3"), ("apng", "apng", "3"), ("webp", "webp", "3"), ("gif", "gif", "2")])
    func framesStay(ending: String, format: String, loop: String) async throws {
        try kuva.write(try await gif(), to: "a.gif")
        let outcome = try await kuva("convert", "a.gif", "b.\(ending)", "--lossless")
        let bytes = try kuva.bytes("b.\(ending)")
        #expect(outcome.errorText == "")
        #expect(outcome.outputText == "b.\(ending): \(format), 3 frames, \(bytes.count) bytes\n")
        #expect(try await read(bytes) == "(8, 6); \(loop); \(Self.frames)")
        #expect(try await kuva("convert", "b.\(ending)", "c.gif").status == 0)
        #expect(try await read(try kuva.bytes("c.gif")) == "(8, 6); 2; \(Self.frames)")
    }

    @Test func everyFrameIsScaled() async throws {
        try kuva.write(try await gif(), to: "a.gif")
        #expect(try await kuva("convert", "a.gif", "b.webp", "--lossless", "--size", "4x4").status == 0)
        let found = try await read(try kuva.bytes("b.webp"))
        #expect(found.hasPrefix("(4, 3); 3; 100 ff0000"))
        #expect(found.hasSuffix("70 0000ff 0000ff"))
    }

    @Test func oneFrameIsTakenOut() async throws {
        try kuva.write(try await gif(), to: "a.gif")
        #expect(try await kuva("convert", "a.gif", "b.png", "--frame", "1").status == 0)
        let info = try await kuva("info", "b.png")
        #expect(info.outputText.hasPrefix("b.png: png, 8x6"))
        #expect(try await kuva("convert", "b.png", "c.gif").status == 0)
        let gone = try await kuva("convert", "a.gif", "d.png", "--frame", "3")
        #expect(gone.status == 1)
        let advice = "frames are numbered from 0; kuva info lists them"
        #expect(gone.errorText == "kuva: a.gif: decode: there is no frame 3 among 3; \(advice)\n")
        #expect(try await kuva("convert", "b.png", "d.png", "--frame", "1").status == 1)
        // A format without animations gets the first frame.
        #expect(try await kuva("convert", "a.gif", "e.jpg").status == 0)
        #expect(try await kuva("convert", "a.gif", "f.webp", "--max-bytes", "1000").status == 1)
    }

    /// Pillow writes the second frame's rectangle only, and says that frames stay.
    @Test func framesAreListed() async throws {
        try kuva.write(try await gif(), to: "a.gif")
        let text = try await kuva("info", "a.gif").outputText.split(separator: "\n").map(String.init)
        #expect(text.count == 4)
        #expect(text.first?.contains(", 3 frames, plays 3 times, ") == true)
        #expect(text.dropFirst().first == "  frame 0: 100 ms, 8x6+0+0, keep")
        #expect(text.dropFirst(2).first == "  frame 1: 50 ms, 1x1+5+4, keep")
        let json = try await kuva("info", "--json", "a.gif")
        let record = try #require(try JSONSerialization.jsonObject(with: json.output) as? [String: Any])
        let frames = try #require(record["frameList"] as? [[String: Any]])
        #expect(frames.count == 3)
        #expect(frames[1]["index"] as? Int == 1)
        #expect(frames[1]["milliseconds"] as? Double == 50)
        #expect(frames[1]["rect"] as? [Int] == [5, 4, 1, 1])
        #expect(frames[1]["disposal"] as? String == "keep")
        #expect(json.outputText.split(separator: "\n").count == 1)
    }

    /// Frames that are alike in all that is said of them stand in one line.
    @Test func runsStandInOneLine() async throws {
        let script = """
            import sys, io; from PIL import Image
            f = [Image.new('RGB', (4, 4), (n * 40, 0, 0)) for n in range(5)]; o = io.BytesIO()
            f[0].save(o, 'GIF', save_all=True, append_images=f[1:], duration=40, loop=0)
            sys.stdout.buffer.write(o.getvalue())
            """
        try kuva.write(try await python.run(["-c", script]).output, to: "a.gif")
        let text = try await kuva("info", "a.gif").outputText
        #expect(text.hasSuffix(" bytes\n  frames 0-4: 40 ms, 4x4+0+0, keep\n"))
    }
}

extension ExternalProgram {
    /// A Python that has Pillow, which Debian's has once python3-pil is installed.
    static var pillow: ExternalProgram? {
        let folder = "/usr/lib/python3/dist-packages/PIL"
        guard FileManager.default.fileExists(atPath: folder) else { return nil }
        return ExternalProgram(path: "/usr/bin/python3")
    }
}
