import Foundation
import KuvaTesting
import Testing

/// What the program takes for the pictures of a file or a folder, as its report tells.
@Suite("Gallery's lists", .serialized, .enabled(if: hasDisplay), .timeLimit(.minutes(10)))
struct ListTests {
    /// The URLs that are shown for a list on standard input.
    private func urls(in text: String) async throws -> [String] {
        let program = try GalleryProgram()
        defer { program.remove() }
        let options = ["-f", "-", "--offline", "--quit-when-loaded", "--report", "report.tsv"]
        let outcome = try await program.run(options, input: text)
        try #require(outcome.status == 1, "\(outcome.errorText)")
        return try program.report("report.tsv").map { $0[0] }
    }

    @Test("JSON Feed 1.1: attachments that are pictures, or else the item's image")
    func jsonFeed() async throws {
        let feed = """
            {"version": "https://jsonfeed.org/version/1.1", "title": "Feed", "items": [
                {"id": "1", "title": "Two", "image": "http://h/unused.jpg", "attachments": [
                    {"url": "http://h/a.jpg", "mime_type": "image/jpeg"},
                    {"url": "http://h/sound.mp3", "mime_type": "audio/mpeg"},
                    {"url": "http://h/b.png", "mime_type": "image/png", "size_in_bytes": 7}]},
                {"id": "2", "image": "http://h/c.jpg"},
                {"id": "3", "content_text": "no picture"}]}
            """
        #expect(try await urls(in: feed) == ["http://h/a.jpg", "http://h/b.png", "http://h/c.jpg"])
    }

    @Test("RSS 2.0, Media RSS and Atom: enclosures and contents that are pictures")
    func xmlFeeds() async throws {
        let rss = """
            <?xml version="1.0" encoding="UTF-8"?>
            <rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>Feed</title>
            <item><title>One &amp; two</title>
            <enclosure url="http://h/a.jpg?x=1&amp;y=2" length="9" type="image/jpeg"/>
            <media:content url="http://h/a.jpg?x=1&amp;y=2" type="image/jpeg"/></item>
            <item><enclosure url="http://h/sound.mp3" length="9" type="audio/mpeg"/>
            <media:content url="http://h/b.jpg" medium="image"/>
            <description><![CDATA[<p>text</p>]]></description></item>
            </channel></rss>
            """
        #expect(try await urls(in: rss) == ["http://h/a.jpg?x=1&y=2", "http://h/b.jpg"])
        let atom = """
            <feed xmlns="http://www.w3.org/2005/Atom"><entry><title>One</title>
            <link rel="alternate" href="http://h/page"/>
            <link rel="enclosure" type="image/png" href="http://h/c.png"/></entry></feed>
            """
        #expect(try await urls(in: atom) == ["http://h/c.png"])
    }

    @Test(arguments: [("{\"items\": 7}", "no JSON Feed"), ("<rss><item></rss>", "no feed that can be read")])
    func brokenFeedIsExplained(_ text: String, _ message: String) async throws {
        let program = try GalleryProgram()
        defer { program.remove() }
        let outcome = try await program.run(["-f", "-"], input: text)
        #expect(outcome.status == 2)
        #expect(outcome.errorText.contains(message))
    }

    @Test func offlineWithAnEmptyCacheSaysSoForEachPicture() async throws {
        let program = try GalleryProgram()
        defer { program.remove() }
        let options = ["--offline", "--quit-when-loaded", "--report", "report.tsv", "http://h/a.jpg"]
        #expect(try await program.run(options).status == 1)
        #expect(try program.report("report.tsv")[0][4].hasPrefix("not-in-cache: "))
    }

    @Test func folderShowsItsPicturesAndThoseOfItsFolders() async throws {
        guard let pillow = try await Pillow() else { return }
        let program = try GalleryProgram()
        defer { program.remove() }
        let folder = program.file("pictures")
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("more"),
            withIntermediateDirectories: true
        )
        try await pillow.make("#ff0000", width: 8, height: 6, at: folder.appendingPathComponent("b.jpg"))
        try await pillow.make("#ff0000", width: 8, height: 6, at: folder.appendingPathComponent("more/a b.PNG"))
        try Data("text".utf8).write(to: folder.appendingPathComponent("readme.txt"))
        let options = ["--quit-when-loaded", "--report", "report.tsv", folder.path]
        #expect(try await program.run(options).status == 0)
        let names = try program.report("report.tsv").map { $0[0].split(separator: "/").last.map(String.init) }
        #expect(names == ["b.jpg", "a%20b.PNG"])
    }

    @Test(arguments: ["view", "zoom", "info", "cache"])
    func eachStateCanBeSeen(_ state: String) async throws {
        guard let pillow = try await Pillow() else { return }
        let program = try GalleryProgram()
        defer { program.remove() }
        try await pillow.make("#ff0000", width: 900, height: 600, at: program.file("red.png"))
        let options = ["--screenshot", "window.png", "--state", state, program.file("red.png").path]
        let outcome = try await program.run(options)
        #expect(outcome.status == 0, "\(outcome.errorText)")
        let red = try await pillow.count([[255, 0, 0]], in: program.file("window.png"))[0]
        // The whole of the window but its header and panel, or a cell of 216 by 162 at least.
        #expect(red > (state == "cache" ? 216 * 162 * 9 / 10 : 800 * 500))
    }
}
