import KuvaTesting
import Testing

@testable import KuvaCLI

/// What the program says about itself and about command lines that it does not understand, word for word.
@Suite("Usage", .timeLimit(.minutes(10)))
struct UsageTests {
    let kuva: KuvaRun

    init() throws { kuva = try KuvaRun() }

    private static let overview = """
        usage: kuva COMMAND [ARGUMENT…]

        Loads, inspects and keeps pictures from the web.

        commands:
          get      Load pictures and save them.
          info     Say what pictures are: format, size, frames, colour, orientation.
          convert  Write a picture as another file.
          hash     Print a hash of the pixels of pictures, to compare decoders.
          cache    Look into the disk cache, and tidy it.

        “kuva help COMMAND” says more. “kuva --version” prints the version.
        The exit status is 0 if all went well, 1 if something did not, 2 if the command line is wrong.

        """

    private static let get = """
        usage: kuva get URL… [OPTION…]

        Load pictures and save them.

        Without --size the bytes are saved as the server sent them, once they are found to
        be a whole picture. Files are named after their URLs; a name that is taken gets a
        number, such as a-1.jpg.

        options:
          -o, --output DIR  Save into DIR, made if missing; . if not given.
              --size WxH    Scale down to fit W×H pixels, in the same format or PNG.
          -j, --jobs N      Load N pictures at once; 6 if not given.
              --trace FILE  Write how long each step took, for ui.perfetto.dev.
          -f, --force       Replace files that are there.
          -h, --help        Print this text and stop.

        """

    @Test func helpGoesToStandardOutput() async throws {
        for words in [["--help"], ["-h"], ["help"]] {
            let outcome = try await kuva(words)
            #expect(outcome.status == 0)
            #expect(outcome.outputText == Self.overview)
            #expect(outcome.errors.isEmpty)
        }
        for words in [["help", "get"], ["get", "--help"], ["get", "-h", "http://h.test/"]] {
            let outcome = try await kuva(words)
            #expect(outcome.status == 0)
            #expect(outcome.outputText == Self.get)
        }
        #expect(try await kuva("--version").outputText == "kuva 0.1.0\n")
    }

    @Test func withoutACommandTheOverviewIsAnError() async throws {
        let outcome = try await kuva()
        #expect(outcome.status == 2)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errorText == Self.overview)
    }

    @Test(arguments: [
        (["gte"], "there is no command gte; did you mean get?", "kuva help"),
        (["--verison"], "there is no option --verison", "kuva help"),
        (["help", "x"], "there is no command x", "kuva help"),
        (["help", "get", "info"], "help takes one command", "kuva help"),
        (["get"], "get needs a URL", "kuva help get"),
        (
            ["get", "--siez", "3x3", "http://h.test/"], "get has no option --siez; did you mean --size?",
            "kuva help get"
        ),
        (["get", "--size", "3", "http://h.test/"], "--size is written as 300x200, not “3”", "kuva help get"),
        (["get", "-j", "0", "http://h.test/"], "--jobs is a number from 1 to 100, not “0”", "kuva help get"),
        (["get", "-o", "", "http://h.test/"], "--output needs a folder", "kuva help get"),
        (["info"], "info needs a file or a URL", "kuva help info"),
        (["convert", "a.png"], "convert needs a file and the name of a new one", "kuva help convert"),
        (
            ["convert", "a.png", "b.xyz"], "convert cannot tell a format that it writes from the name “b.xyz”",
            "kuva help convert"
        ),
        (["convert", "a.png", "b.jpg", "-q", "101"], "--quality is a number, not “101”", "kuva help convert"),
        (["hash", "a.png"], "hash needs --pixels", "kuva help hash"),
        (["hash", "--pixels"], "hash needs a file", "kuva help hash"),
        (["hash", "--pixels", "--limit", "0", "a.png"], "--limit is a number of pixels, not “0”", "kuva help hash"),
        (["cache"], "cache needs one of path, stats, list, show, remove, trim, verify, clear", "kuva help cache"),
        (["cache", "claer"], "cache has no action claer; did you mean clear?", "kuva help cache"),
        (["cache", "path", "stats"], "cache does one thing at once", "kuva help cache"),
    ])
    func wrongCommandLinesAreExplained(words: [String], message: String, help: String) async throws {
        let outcome = try await kuva(words)
        #expect(outcome.status == 2)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errorText == "kuva: \(message)\nkuva: try “\(help)”\n")
    }
}
