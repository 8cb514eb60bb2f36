import CGTK
import Foundation
import KuvaTesting
import Testing

/// Somebody at the mouse and the keyboard: events go through the display as those of a person do.
@MainActor
final class User {
    /// Whether there is the program that moves the mouse here.
    nonisolated static let isThere = ExternalProgram(named: "xdotool") != nil

    private let window: TestWindow
    private let title = "kuva test \(UUID().uuidString)"
    private let tool: ExternalProgram

    /// A user of a window, which is presented.
    init(of window: TestWindow) async throws {
        self.window = window
        tool = try #require(ExternalProgram(named: "xdotool"))
        window.setTitle(title)
        window.present()
        await window.drawFrame()
        // Without a window manager nobody else does it.
        try await run(["windowfocus"])
    }

    /// Moves the pointer to a place of a widget.
    func move(to x: Double, _ y: Double, of widget: UnsafeMutableRawPointer) async throws {
        let place = try #require(window.place(x: x, y: y, of: widget))
        try await run(["mousemove", "--window", "%1", "\(place.x)", "\(place.y)"])
    }

    /// Presses a button of the mouse: 1 is the left one, 3 the right one.
    func press(_ button: Int) async throws { try await run(["mousedown", "\(button)"]) }

    /// Lets a button of the mouse go.
    func release(_ button: Int) async throws { try await run(["mouseup", "\(button)"]) }

    /// Turns the wheel, towards the end of what is under the pointer.
    func scrollDown(steps: Int) async throws { try await run(["click", "--repeat", "\(steps)", "--delay", "1", "5"]) }

    /// Presses a key and lets it go, as xdotool calls it: `shift+F10`.
    func type(_ key: String) async throws { try await run(["key", key]) }

    /// Runs xdotool while GTK's loop goes on.
    private func run(_ command: [String]) async throws {
        let (tool, title) = (tool, title)
        final class Answer { var outcome: Result<ExternalProgram.Outcome, any Error>? }
        let answer = Answer()
        let task = Task {
            do {
                answer.outcome = .success(try await tool.run(["search", "--sync", "--name", title] + command))
            } catch {
                answer.outcome = .failure(error)
            }
        }
        await pump { answer.outcome != nil }
        task.cancel()
        let outcome = try #require(answer.outcome).get()
        try #require(outcome.status == 0, "\(outcome.errorText)")
    }
}
