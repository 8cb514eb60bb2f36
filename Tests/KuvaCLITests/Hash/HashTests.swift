import Foundation
import KuvaTesting
import Testing

@Suite("kuva hash", .timeLimit(.minutes(10)))
struct HashTests {
    let kuva: KuvaRun

    init() throws { kuva = try KuvaRun() }

    /// Two pixels of a PNG drawn by Pillow: what is transparent loses its colour, what is half transparent keeps it.
    private static let pillow = """
        import sys, io, hashlib; from PIL import Image
        i = Image.frombytes('RGBA', (2, 1), bytes([9, 8, 7, 0, 200, 100, 50, 128]))
        b = io.BytesIO(); i.save(b, 'png'); sys.stdout.buffer.write(b.getvalue())
        """

    /// `printf '\\0\\0\\0\\0\\310\\144\\062\\200' | sha256sum`
    private func sum(of bytes: [UInt8]) async throws -> String {
        let sha256sum = try #require(ExternalProgram(named: "sha256sum"))
        return String(try await sha256sum.run([], input: Data(bytes)).outputText.prefix { $0 != " " })
    }

    @Test(.enabled(if: ExternalProgram(named: "python3") != nil))
    func straightPixelsAreHashed() async throws {
        let python = ExternalProgram(path: "/usr/bin/python3")
        let png = try await python.run(["-c", Self.pillow])
        guard png.status == 0 else { return }
        try kuva.write(png.output, to: "a.png")
        let hash = try await sum(of: [0, 0, 0, 0, 200, 100, 50, 128])
        let outcome = try await kuva("hash", "--pixels", "a.png")
        #expect(outcome.status == 0)
        #expect(outcome.outputText == "a.png\tok\t2\t1\t1\t\(hash)\n")
        let json = try await kuva("hash", "--pixels", "--json", "a.png")
        #expect(
            json.outputText
                == #"{"frames":1,"height":1,"path":"a.png","sha256":"\#(hash)","status":"ok","width":2}"# + "\n"
        )
        let limited = try await kuva("hash", "--pixels", "--limit", "1", "a.png")
        #expect(limited.status == 1)
        #expect(limited.outputText == "a.png\tlimit-exceeded\t0\t0\t0\t-\n")
        #expect(limited.errorText.contains("DecodeLimits.maximumOutputPixels"))
    }

    @Test(.enabled(if: ExternalProgram(named: "cjpeg") != nil))
    func whatIsWrongIsTheStatus() async throws {
        let jpeg = try await Fixture.jpeg(width: 64, height: 64)
        try kuva.write(jpeg.prefix(jpeg.count / 2), to: "half.jpg")
        try kuva.write(Data("<html></html>".utf8), to: "page.jpg")
        let outcome = try await kuva("hash", "--pixels", "half.jpg", "page.jpg", "gone.jpg")
        let lines = outcome.outputText.split(separator: "\n")
        #expect(outcome.status == 1)
        #expect(lines[0].hasPrefix("half.jpg\tpartial\t64\t64\t1\t"))
        #expect(lines[1] == "page.jpg\tnot-an-image\t0\t0\t0\t-")
        #expect(lines[2] == "gone.jpg\tfile-not-found\t0\t0\t0\t-")
        #expect(outcome.errorText.split(separator: "\n").count == 3)
    }
}
