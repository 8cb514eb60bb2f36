import Foundation
import KuvaTesting
import Testing

@Suite("kuva convert", .timeLimit(.minutes(10)), .enabled(if: ExternalProgram(named: "cjpeg") != nil))
struct ConvertTests {
    let kuva: KuvaRun

    init() throws { kuva = try KuvaRun() }

    /// The extension chooses the format; each file starts as its format does.
    @Test(arguments: [
        ("jpg", [0xFF, 0xD8, 0xFF] as [UInt8]), ("JPEG", [0xFF, 0xD8, 0xFF]), ("png", [0x89, 0x50, 0x4E, 0x47]),
        ("gif", Array("GIF89a".utf8)), ("webp", Array("RIFF".utf8)), ("avif", [0, 0, 0]), ("jxl", [0xFF, 0x0A]),
    ])
    func extensionIsTheFormat(ending: String, start: [UInt8]) async throws {
        try kuva.write(try await Fixture.jpeg(width: 60, height: 40), to: "a.jpg")
        let outcome = try await kuva("convert", "a.jpg", "b.\(ending)", "--size", "30x30")
        #expect(outcome.errorText == "")
        let bytes = try kuva.bytes("b.\(ending)")
        #expect(Array(bytes.prefix(start.count)) == start)
        #expect(outcome.outputText.hasSuffix(", \(bytes.count) bytes\n"))
        let info = try await kuva("info", "--json", "b.\(ending)")
        #expect(info.outputText.contains("\"height\":20,"))
        #expect(info.outputText.contains("\"width\":30}"))
    }

    @Test func bytesAreKeptTo() async throws {
        try kuva.write(try await Fixture.jpeg(width: 400, height: 400), to: "a.jpg")
        let outcome = try await kuva("convert", "a.jpg", "b.jpg", "--max-bytes", "3000")
        #expect(outcome.status == 0)
        #expect((2000...3000).contains(try kuva.bytes("b.jpg").count))
    }

    @Test func nothingIsReplacedUnasked() async throws {
        try kuva.write(try await Fixture.jpeg(width: 8, height: 8), to: "a.jpg")
        try kuva.write(Data([1]), to: "b.png")
        let refused = try await kuva("convert", "a.jpg", "b.png")
        #expect(refused.status == 1)
        #expect(refused.errorText == "kuva: a.jpg: save: b.png is there already; replace it with -f\n")
        #expect(try kuva.bytes("b.png") == Data([1]))
        #expect(try await kuva("convert", "-f", "a.jpg", "b.png").status == 0)
        #expect(try kuva.bytes("b.png").count > 8)
        #expect(try kuva.files() == ["a.jpg", "b.png"])
    }
}
