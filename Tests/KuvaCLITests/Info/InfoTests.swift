import Foundation
import KuvaTesting
import Testing

@testable import KuvaCLI

@Suite("kuva info", .timeLimit(.minutes(10)), .enabled(if: ExternalProgram(named: "cjpeg") != nil))
struct InfoTests {
    let kuva: KuvaRun

    init() throws { kuva = try KuvaRun() }

    @Test func filesAreDescribedInOrder() async throws {
        let jpeg = try await Fixture.jpeg(width: 40, height: 30)
        try kuva.write(jpeg, to: "a.jpg")
        try kuva.write(Data(), to: "empty")
        let outcome = try await kuva("info", "a.jpg", "empty", "gone.jpg", ".", "a.jpg")
        let line = "a.jpg: jpeg, 40x30, grey, \(jpeg.count) bytes\n"
        #expect(outcome.status == 1)
        #expect(outcome.outputText == line + line)
        #expect(
            outcome.errorText == """
                kuva: empty: decode: there are no bytes where a picture should be; check that the address is that of a picture
                kuva: gone.jpg: read: there is no such file; check the name
                kuva: .: read: it is a folder; name the pictures in it

                """
        )
    }

    @Test func jsonIsOneObjectALine() async throws {
        let jpeg = try await Fixture.jpeg(width: 40, height: 30)
        try kuva.write(jpeg, to: "a \"b\".jpg")
        let outcome = try await kuva("info", "--json", "a \"b\".jpg")
        let object = try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any]
        let record = try #require(object)
        #expect(record["source"] as? String == "a \"b\".jpg")
        #expect(record["format"] as? String == "jpeg")
        #expect(record["mediaType"] as? String == "image/jpeg")
        #expect(record["width"] as? Int == 40)
        #expect(record["height"] as? Int == 30)
        #expect(record["orientation"] as? Int == 1)
        #expect(record["frames"] as? Int == 1)
        #expect(record["alpha"] as? Bool == false)
        #expect(record["bytes"] as? Int == jpeg.count)
        #expect(record["loops"] == nil)
        #expect(outcome.outputText.split(separator: "\n").count == 1)
    }

    /// A comment that `wrjpgcom` writes, and the density that `jpegtran` leaves alone: cjpeg's own, without a unit.
    @Test(.enabled(if: ExternalProgram(named: "wrjpgcom") != nil))
    func whatStandsBesideThePixelsIsSaid() async throws {
        let wrjpgcom = try #require(ExternalProgram(named: "wrjpgcom"))
        var jpeg = try await wrjpgcom.run(
            ["-comment", "made by hand"],
            input: try await Fixture.jpeg(width: 40, height: 30)
        ).output
        // JFIF (ITU-T T.871, 10.1): unit 1 is the inch, then two numbers across and down.
        let jfif = try #require(jpeg.range(of: Data("JFIF\0".utf8)))
        jpeg.replaceSubrange(jfif.upperBound + 2..<jfif.upperBound + 7, with: [1, 1, 44, 0, 72])
        try kuva.write(jpeg, to: "a.jpg")
        let outcome = try await kuva("info", "a.jpg")
        #expect(
            outcome.outputText
                == "a.jpg: jpeg, 40x30, grey, 300x72 dpi, texts: Comment, \(jpeg.count) bytes\n"
        )
        let json = try await kuva("info", "--json", "a.jpg")
        let record = try #require(try JSONSerialization.jsonObject(with: json.output) as? [String: Any])
        #expect(record["dpi"] as? [Double] == [300, 72])
        #expect((record["texts"] as? [[String: String]])?.first == ["keyword": "Comment", "text": "made by hand"])
        #expect(record["exifBytes"] == nil)
    }

    /// The writer of this pipe never comes to an end, so that reading on would wait for ever.
    @Test func noMoreOfAFileIsReadThanItTakes() async throws {
        let jpeg = try await Fixture.jpeg(width: 40, height: 30)
        let path = kuva.root.appendingPathComponent("pipe").path
        #expect(mkfifo(path, 0o600) == 0)
        let writer = try #require(FileHandle(forUpdatingAtPath: path))
        try writer.write(contentsOf: jpeg + Data(count: FileHead.firstRead - jpeg.count))
        let outcome = try await kuva("info", path)
        #expect(outcome.outputText == "\(path): jpeg, 40x30, grey, \(FileHead.firstRead) bytes\n")
        try writer.close()
    }

    /// A GIF says how many frames it has only by having them: these 6,000 take more than one read.
    @Test func framesAreCountedToTheEnd() async throws {
        // GIF89a §18 to §22: header, screen of 1 by 1 with four greys, then frames of one pixel each, trailer.
        var gif = Data("GIF89a".utf8) + Data([1, 0, 1, 0, 0x81, 0, 0] + [0, 85, 170, 255].flatMap { [$0, $0, $0] })
        let frame = Data([0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0])
        for _ in 0..<6_000 { gif += frame }
        gif.append(0x3B)
        #expect(gif.count > FileHead.firstRead)
        try kuva.write(gif, to: "a.gif")
        let outcome = try await kuva("info", "a.gif")
        #expect(
            outcome.outputText == """
                a.gif: gif, 1x1, palette of 4, 6000 frames, \(gif.count) bytes
                  frames 0-5999: no time, 1x1+0+0, keep

                """
        )
    }

    @Test func aPipeIsReadLikeAFile() async throws {
        let jpeg = try await Fixture.jpeg(width: 40, height: 30)
        let outcome = try await kuva("info", "/dev/stdin", input: jpeg)
        #expect(outcome.outputText == "/dev/stdin: jpeg, 40x30, grey, \(jpeg.count) bytes\n")
    }

    @Test func urlsAreLoaded() async throws {
        let jpeg = try await Fixture.jpeg(width: 40, height: 30)
        let server = try LoopbackServer()
        server.route("/a.jpg", .ok(jpeg))
        let url = server.url("/a.jpg").absoluteString
        let outcome = try await kuva("info", url)
        #expect(outcome.outputText == "\(url): jpeg, 40x30, grey, \(jpeg.count) bytes\n")
    }
}
