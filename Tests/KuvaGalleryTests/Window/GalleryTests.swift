import Foundation
import KuvaCore
import KuvaTesting
import Testing

/// The whole program: a window on the screen, pictures from files and from a server.
@Suite("Gallery", .serialized, .enabled(if: hasDisplay), .timeLimit(.minutes(10)))
struct GalleryTests {
    @Test func windowShowsPicturesAndReasonsAndTellsOfBoth() async throws {
        guard let pillow = try await Pillow() else { return }
        let program = try GalleryProgram()
        defer { program.remove() }
        try await pillow.make("#ff0000", width: 800, height: 600, at: program.file("red.jpg"))
        try await pillow.make("#0000ff", width: 300, height: 900, at: program.file("blue.jpg"))
        let (red, blue) = (program.file("red.jpg").absoluteString, program.file("blue.jpg").absoluteString)
        let list = "# pictures\n\(red)\n\n   \(blue)\t\nnonsense\nfile:///nowhere/at/all.jpg\n"
        let outcome = try await program.run(
            ["-f", "-", "--screenshot", "window.png", "--report", "report.tsv", "--quit-when-loaded"],
            input: list
        )
        #expect(outcome.status == 1)
        let report = try program.report("report.tsv")
        #expect(report.map { $0[0] } == [red, blue, "nonsense", "file:///nowhere/at/all.jpg"])
        #expect(report.map { $0[2] } == ["local", "local", "failed", "failed"])
        let size = try FileManager.default.attributesOfItem(atPath: program.file("red.jpg").path)[.size] as? Int
        #expect(report[0][1] == "\(try #require(size))")
        #expect(report[2][4].hasPrefix("invalid-url: "))
        #expect(report[3][4].hasPrefix("file-not-found: "))
        // Both cells are cropped to 4:3, whatever the picture's proportions: as many red pixels as blue ones.
        let counts = try await pillow.count([[255, 0, 0], [0, 0, 255]], in: program.file("window.png"))
        #expect(counts[0] > 200 * 150)
        #expect(counts[0] == counts[1])
    }

    @Test func secondRunNeedsNoServer() async throws {
        guard let pillow = try await Pillow() else { return }
        let program = try GalleryProgram()
        defer { program.remove() }
        let server = try LoopbackServer()
        var urls: [String] = []
        for name in ["a", "b", "c"] {
            let file = program.file("\(name).jpg")
            try await pillow.make("#00ff00", width: 640, height: 480, at: file)
            server.route("/\(name).jpg", .ok(try Data(contentsOf: file), fields: ["Cache-Control": "max-age=600"]))
            urls.append(server.url("/\(name).jpg").absoluteString)
        }
        let options = ["--quit-when-loaded", "--report", "report.tsv"]
        #expect(try await program.run(options + urls).status == 0)
        #expect(try program.report("report.tsv").map { $0[2] } == ["network", "network", "network"])
        server.stop()
        #expect(try await program.run(options + urls).status == 0)
        #expect(try program.report("report.tsv").map { $0[2] } == ["disk", "disk", "disk"])
        #expect(server.ledger.requests.count == 3)
    }

    @Test func picturesBelowTheWindowAreLoadedTooIfAllAreWanted() async throws {
        guard let pillow = try await Pillow() else { return }
        let program = try GalleryProgram()
        defer { program.remove() }
        let file = program.file("red.jpg")
        try await pillow.make("#ff0000", width: 8, height: 6, at: file)
        let urls = (0..<400).map { "\(file.absoluteString)?\($0)" }
        #expect(try await program.run(["--quit-when-loaded", "--report", "report.tsv"] + urls).status == 0)
        let report = try program.report("report.tsv")
        #expect(report.map { $0[0] } == urls)
        #expect(report.allSatisfy { $0[2] == "local" })
    }

    @Test func fileThatCannotBeWrittenIsAnError() async throws {
        guard let pillow = try await Pillow() else { return }
        let program = try GalleryProgram()
        defer { program.remove() }
        let file = program.file("red.jpg")
        try await pillow.make("#ff0000", width: 8, height: 6, at: file)
        let outcome = try await program.run(
            ["--screenshot", "/nowhere/a.png", "--report", "/nowhere/b.tsv", file.absoluteString]
        )
        #expect(outcome.status == 1)
        #expect(outcome.errorText.contains("“/nowhere/a.png” cannot be written"))
        #expect(outcome.errorText.contains("“/nowhere/b.tsv” cannot be written"))
    }
}
