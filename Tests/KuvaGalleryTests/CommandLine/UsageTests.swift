import Foundation
import KuvaTesting
import Testing

/// What the program says to a wrong command line; needs no display.
@Suite("Gallery's command line")
struct UsageTests {
    @Test(arguments: [
        (["--quit-when-loaded"], "nothing to show"),
        (["--state", "upside-down"], "there is no state upside-down; the states are grid, view, zoom, info, cache"),
        (["--state"], "--state needs a state"),
        (["--frobnicate"], "no option --frobnicate"),
        (["-f"], "-f needs a file name"),
        (["--report"], "--report needs a file name"),
        (["-f", "/nowhere/urls.txt"], "“/nowhere/urls.txt” cannot be read"),
        (["-f", "-"], "nothing to show"),
    ])
    func wrongUsageIsExplained(arguments: [String], message: String) async throws {
        let program = try GalleryProgram()
        defer { program.remove() }
        let outcome = try await program.run(arguments)
        #expect(outcome.status == 2)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errorText.hasPrefix("kuva-gallery: "))
        #expect(outcome.errorText.contains(message))
        #expect(outcome.errorText.contains("usage: kuva-gallery"))
    }

    @Test func helpIsNoError() async throws {
        let program = try GalleryProgram()
        defer { program.remove() }
        let outcome = try await program.run(["--help"])
        #expect(outcome.status == 0)
        #expect(outcome.outputText.contains("--screenshot FILE"))
        #expect(outcome.errors.isEmpty)
    }

    @Test func missingDisplayIsExplained() async throws {
        let program = try GalleryProgram()
        defer { program.remove() }
        let outcome = try await program.run(
            ["http://127.0.0.1/a.jpg"],
            environment: ["DISPLAY": "", "WAYLAND_DISPLAY": "", "XDG_RUNTIME_DIR": program.folder.path]
        )
        #expect(outcome.status == 1)
        #expect(outcome.errorText.contains("kuva-gallery: there is no display"))
    }
}
