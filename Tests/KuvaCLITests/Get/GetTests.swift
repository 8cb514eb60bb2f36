import Foundation
import Kuva
import KuvaTesting
import Testing

@testable import KuvaCLI

/// The built program against a scripted server.
@Suite("kuva get", .timeLimit(.minutes(10)), .enabled(if: ExternalProgram(named: "cjpeg") != nil))
struct GetTests {
    let kuva: KuvaRun
    let server: LoopbackServer

    init() throws {
        kuva = try KuvaRun()
        server = try LoopbackServer()
    }

    private func url(_ path: String) -> String { server.url(path).absoluteString }

    @Test func bytesAreSavedAsTheServerSentThem() async throws {
        let jpeg = try await Fixture.jpeg(width: 40, height: 30)
        server.route("/a/photo.jpg", .ok(jpeg))
        let outcome = try await kuva("get", url("/a/photo.jpg"))
        #expect(outcome.status == 0)
        #expect(outcome.errorText == "")
        #expect(outcome.outputText == "./photo.jpg: jpeg, 40x30, \(jpeg.count) bytes, from network\n")
        #expect(try kuva.files() == ["photo.jpg"])
        #expect(try kuva.bytes("photo.jpg") == jpeg)
    }

    @Test func theSecondTimeTheDiskCacheHasIt() async throws {
        let jpeg = try await Fixture.jpeg(width: 40, height: 30)
        server.route("/photo.jpg", .ok(jpeg))
        _ = try await kuva("get", url("/photo.jpg"), "-o", "pictures")
        let again = try await kuva("get", "-o", "pictures", url("/photo.jpg"))
        #expect(again.outputText == "pictures/photo-1.jpg: jpeg, 40x30, \(jpeg.count) bytes, from disk\n")
        #expect(try kuva.files("pictures") == ["photo-1.jpg", "photo.jpg"])
        #expect(try kuva.bytes("pictures/photo-1.jpg") == jpeg)
        #expect(server.requestCount("/photo.jpg") == 1)

        let stats = try await kuva("cache", "stats")
        #expect(stats.outputText.contains("entries  1\n"))
        let path = try await kuva("cache", "path")
        #expect(path.outputText == "\(kuva.root.path)/cache/kuva\n")
        #expect(try await kuva("cache", "clear").status == 0)
        #expect(try await kuva("cache", "stats").outputText.contains("entries  0\n"))
        _ = try await kuva("get", "-o", "pictures", "--force", url("/photo.jpg"))
        #expect(server.requestCount("/photo.jpg") == 2)
        #expect(try kuva.files("pictures") == ["photo-1.jpg", "photo.jpg"])
    }

    @Test func withASizeAPictureThatFitsIsSavedInItsFormat() async throws {
        let jpeg = try await Fixture.jpeg(width: 400, height: 300)
        server.route("/photo.jpg", .ok(jpeg))
        let outcome = try await kuva("get", url("/photo.jpg"), "--size", "100x100")
        let small = try kuva.bytes("photo.jpg")
        #expect(outcome.outputText == "./photo.jpg: jpeg, 100x75, \(small.count) bytes, from network\n")
        let djpeg = try #require(ExternalProgram(named: "djpeg"))
        let pnm = try await djpeg.run([], input: small).output
        #expect(pnm.prefix(10) == Data("P6\n100 75\n".utf8))
    }

    /// Trace Event Format: complete events have the phase X, a start and a duration in microseconds.
    @Test func aTraceTellsOfEachStep() async throws {
        struct Trace: Decodable {
            struct Event: Decodable {
                struct Arguments: Decodable { let url: String }
                let name: String
                let ph: String
                let ts: Double
                let dur: Double
                let args: Arguments
            }
            let traceEvents: [Event]
        }
        server.route("/photo.jpg", .ok(try await Fixture.jpeg(width: 40, height: 30)))
        let outcome = try await kuva("get", url("/photo.jpg"), "--trace", "steps.json")
        #expect(outcome.status == 0)
        let events = try JSONDecoder().decode(Trace.self, from: kuva.bytes("steps.json")).traceEvents
        #expect(events.map(\.name).sorted() == ["cache read", "cache write", "decode", "download"])
        #expect(events.allSatisfy { $0.ph == "X" && $0.dur >= 0 && $0.args.url == url("/photo.jpg") })

        let unwritable = try await kuva("get", "--force", url("/photo.jpg"), "--trace", "no/such/folder/steps.json")
        #expect(unwritable.status == 1)
        #expect(unwritable.errorText.contains("no/such/folder/steps.json: the trace was not written"))
        #expect(try await kuva("get", url("/photo.jpg"), "--trace", "").status == 2)
    }

    @Test func whatFailsIsSaidAndTheRestGoesOn() async throws {
        let jpeg = try await Fixture.jpeg(width: 64, height: 64)
        server.route("/good.jpg", .ok(jpeg))
        server.route("/page.jpg", .ok(Data("<!DOCTYPE html><html><body>Log in</body></html>".utf8), type: "text/html"))
        server.route("/empty.jpg", .ok(Data()))
        server.route("/cut.jpg", .ok(jpeg.prefix(jpeg.count / 2)))
        let closed = try LoopbackServer.urlOfClosedPort("/x.jpg").absoluteString
        let bad = [
            "not a url", "ftp://h.test/a.jpg", closed, url("/missing.jpg"), url("/page.jpg"), url("/empty.jpg"),
            url("/cut.jpg"),
        ]
        let outcome = try await kuva(["get", "--jobs", "3"] + bad + [url("/good.jpg")])
        #expect(outcome.status == 1)
        #expect(outcome.outputText == "./good.jpg: jpeg, 64x64, \(jpeg.count) bytes, from network\n")
        #expect(try kuva.files() == ["good.jpg"])
        let lines = outcome.errorText.split(separator: "\n").map(String.init)
        #expect(lines.count == bad.count)
        func line(_ source: String) -> String { lines.first { $0.hasPrefix("kuva: \(source): ") } ?? "" }
        #expect(
            line("not a url")
                == "kuva: not a url: request: “not a url” is not a URL; write it with its scheme, such as https://example.org/a.jpg or file:///home/me/a.jpg"
        )
        #expect(line("ftp://h.test/a.jpg").contains(": request: "))
        #expect(line(closed).contains(": download: "))
        #expect(line(url("/missing.jpg")).contains(": download: "))
        #expect(line(url("/missing.jpg")).contains("404"))
        #expect(line(url("/page.jpg")).contains("an HTML page came instead of a picture"))
        #expect(line(url("/empty.jpg")).contains("; "))
        #expect(line(url("/cut.jpg")).contains(": decode: "))
        #expect(try await kuva("cache", "stats").outputText.contains("entries  1\n"))
    }

    @Test func namesFromTheServerCannotLeaveTheFolder() async throws {
        let jpeg = try await Fixture.jpeg(width: 8, height: 8)
        server.route("/..%2F..%2Fevil.jpg", .ok(jpeg))
        let outcome = try await kuva("get", "-o", "in", url("/..%2F..%2Fevil.jpg"))
        #expect(outcome.status == 0)
        #expect(try kuva.files("in") == ["_.._evil.jpg"])
        #expect(try kuva.files() == ["in"])
    }

    @Test func aFolderThatCannotBeUsedIsOneError() async throws {
        try kuva.write(Data(), to: "file")
        let outcome = try await kuva("get", "-o", "file", url("/a.jpg"), url("/b.jpg"))
        #expect(outcome.status == 1)
        #expect(
            outcome.errorText
                == "kuva: save: cannot write the folder file: Not a directory; name a folder with -o, not a file\n"
        )
        #expect(server.requestCount("/a.jpg") == 0)
    }

    /// Whenever it is killed, the next run finds whole pictures or none.
    @Test(arguments: 0...3)
    func killedInTheMiddleItLeavesOnlyWholePictures(sentPieces: Int) async throws {
        let jpeg = try await Fixture.jpeg(width: 600, height: 600)
        let gate = Gate()
        let size = jpeg.count / 4
        let pieces = (0..<4).map { jpeg[($0 * size)..<($0 == 3 ? jpeg.count : ($0 + 1) * size)] }
        let head = ScriptedResponse.head(200, ["Content-Type": "image/jpeg", "Content-Length": "\(jpeg.count)"])
        let sent = pieces.prefix(sentPieces).map { ScriptedResponse.Step.send($0) }
        server.route("/whole.jpg", .ok(jpeg))
        server.route("/slow.jpg", ScriptedResponse([.send(head)] + sent + [.wait(gate)]))
        let running = try kuva.start("get", "--jobs", "1", url("/whole.jpg"), url("/slow.jpg"))
        try await server.until { $0.count("/slow.jpg") == 1 }
        running.kill()
        #expect(try await running.outcome.status == 128 + SIGKILL)
        #expect(try kuva.files() == ["whole.jpg"])
        #expect(try kuva.bytes("whole.jpg") == jpeg)

        server.route("/slow.jpg", .ok(jpeg))
        let again = try await kuva("get", "--force", url("/whole.jpg"), url("/slow.jpg"))
        #expect(again.status == 0)
        #expect(again.errorText == "")
        #expect(try kuva.bytes("whole.jpg") == jpeg)
        #expect(try kuva.bytes("slow.jpg") == jpeg)
    }

    /// An unusable cache costs the cache, not the picture.
    @Test func withoutACacheThePicturesComeAndItIsSaid() async throws {
        let jpeg = try await Fixture.jpeg(width: 8, height: 8)
        server.route("/a.jpg", .ok(jpeg))
        try kuva.write(Data(), to: "cache")
        let outcome = try await kuva("get", "-o", "out", url("/a.jpg"))
        #expect(outcome.status == 0)
        #expect(try kuva.bytes("out/a.jpg") == jpeg)
        #expect(outcome.errorText.hasPrefix("kuva: \(url("/a.jpg")): cache "))
    }

    @Test(.enabled(if: ExternalProgram(named: "script") != nil))
    func onATerminalBarsMakeWayForResults() async throws {
        let jpeg = try await Fixture.jpeg(width: 500, height: 400)
        server.route("/a.jpg", .ok(jpeg))
        server.route("/b.jpg", .chunked([jpeg.prefix(1000), jpeg.dropFirst(1000)]))
        let outcome = try await kuva.onTerminal("get", "--jobs", "1", url("/a.jpg"), url("/b.jpg"), url("/c.jpg"))
        #expect(outcome.status == 1)
        var screen = TerminalScreen()
        screen.play(outcome.outputText)
        #expect(
            screen.text.prefix(2) == [
                "./a.jpg: jpeg, 500x400, \(jpeg.count) bytes, from network",
                "./b.jpg: jpeg, 500x400, \(jpeg.count) bytes, from network",
            ]
        )
        #expect(screen.text.last?.hasPrefix("kuva: \(url("/c.jpg")): download: ") == true)
        #expect(screen.text.count == 3)
        // Erase in page: something was drawn in place.
        #expect(outcome.outputText.contains("\u{1B}[J"))
    }
}
