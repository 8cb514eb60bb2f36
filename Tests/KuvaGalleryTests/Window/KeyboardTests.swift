import Foundation
import KuvaTesting
import Testing

/// Whether there are a display of its own for a program and somebody who types.
private let hasKeyboard = ["Xvfb", "xdotool"].allSatisfy { ExternalProgram(named: $0) != nil }

/// The gallery used without a pointer. Its title says what is shown.
@Suite("Keyboard", .serialized, .enabled(if: hasDisplay && hasKeyboard), .timeLimit(.minutes(10)))
struct KeyboardTests {
    /// A key, and what is to be seen once it has done its work: the title of the window, and whether a menu, which is a
    /// window of its own, is open.
    private struct Step {
        let key: String
        let title: String
        var opensMenu = false

        /// The next key is typed only when both are so. The display has no window manager, so the focus is set too.
        var script: String {
            """
            xdotool key \(key)
            xdotool search --sync --onlyvisible --name '^\(title)$' >/dev/null
            until [ \\$(xdotool search --onlyvisible --name . | wc -l) = \(opensMenu ? 2 : 1) ]; do :; done
            """
        }
    }

    private func run(_ keys: [(key: String, title: String)]) async throws -> ExternalProgram.Outcome? {
        try await run(keys.map { Step(key: $0.key, title: $0.title) })
    }

    private func run(_ steps: [Step]) async throws -> ExternalProgram.Outcome? {
        guard let pillow = try await Pillow() else { return nil }
        let program = try GalleryProgram()
        defer { program.remove() }
        var urls: [String] = []
        for colour in ["red", "green", "blue"] {
            let file = program.file("\(colour).png")
            try await pillow.make(colour, width: 80, height: 60, at: file)
            urls.append(file.absoluteString)
        }
        let user =
            ["xdotool search --sync --onlyvisible --name '^Gallery$' windowfocus --sync"]
            + steps.map(\.script) + ["xdotool key ctrl+q"]
        // A key that does nothing would let xdotool wait for ever.
        let script = "timeout 60 sh -exc \"\(user.joined(separator: "\n"))\" || { kill $gallery; exit 99; }"
        return try await program.run(
            urls,
            environment: ["XDG_CONFIG_HOME": program.folder.path],
            user: script
        )
    }

    @Test func returnOpensArrowsTurnAndEscapeGoesBack() async throws {
        let outcome = try await run([
            ("Return", "red.png"), ("Right", "green.png"), ("space", "blue.png"), ("Right", "blue.png"),
            ("Left", "green.png"), ("BackSpace", "red.png"), ("Escape", "Gallery"),
        ])
        guard let outcome else { return }
        #expect(outcome.status == 0, "\(outcome.errorText)")
    }

    @Test func arrowsMoveInTheGridAndTheGridKeepsItsPlace() async throws {
        let outcome = try await run([
            ("Right", "Gallery"), ("Return", "green.png"), ("Right", "blue.png"), ("Escape", "Gallery"),
            ("Return", "blue.png"),
        ])
        guard let outcome else { return }
        #expect(outcome.status == 0, "\(outcome.errorText)")
    }

    @Test func menuKeyOpensTheMenuOfThePicture() async throws {
        // While the menu is open, Escape closes it and not the page, and Return chooses its first entry.
        let outcome = try await run([
            Step(key: "Return", title: "red.png"), Step(key: "shift+F10", title: "red.png", opensMenu: true),
            Step(key: "Escape", title: "red.png"), Step(key: "Menu", title: "red.png", opensMenu: true),
            Step(key: "Return", title: "red.png"), Step(key: "Right", title: "green.png"),
        ])
        guard let outcome else { return }
        #expect(outcome.status == 0, "\(outcome.errorText)")
    }
}
