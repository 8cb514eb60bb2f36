import CGTK
import FoundationEssentials
import KuvaCore
import KuvaGTK
import KuvaTesting
import Testing

extension WidgetTests {
    /// The wheel and the keys of a user of a list.
    @MainActor
    @Suite("Real input to lists", .enabled(if: User.isThere))
    struct ListInputTests {
        @Test func wheelBindsTheRowsThatComeAndUnbindsThoseThatGo() async throws {
            let list = try ListStage(rows: 1_000)
            await list.present()
            let user = try await User(of: list.stage.window)
            await pump { list.stage.loaded.contains("1") }
            #expect(list.factory.cells[900] == nil)
            try await user.move(to: 50, 50, of: list.list)
            // Not the first row: GTK keeps the one that has the keyboard, wherever it is.
            while list.factory.cells[1] != nil, !Task.isCancelled { try await user.scrollDown(steps: 50) }
            await pump {
                list.stage.loader.loads.contains { $0.request.url.lastPathComponent == "1" && $0.isCancelled }
            }
            #expect(list.factory.cells.count < 1_000)
            let seen = try #require(list.rowsInView.last)
            await list.stage.succeed("\(seen)", width: 100, height: 100)
            await pump { list.factory.cells[seen]?.imageView.image != nil }
        }

        @Test func menuKeyOpensTheMenuOfTheRowThatHasTheKeyboard() async throws {
            let list = try ListStage(rows: 3)
            await list.present()
            let user = try await User(of: list.stage.window)
            let first = try #require(list.factory.cells[0]?.widget)
            await list.stage.succeed("1", width: 100, height: 100)
            await pump { list.factory.cells[1]?.imageView.image != nil }
            #expect(gtk_widget_grab_focus(gtk_widget_get_parent(asWidget(first))) != 0)
            try await user.type("Down")
            try await user.type("shift+F10")
            func openMenus() -> [Int] {
                list.factory.cells.filter {
                    popover(of: $0.value.imageView).map { gtk_widget_get_mapped($0) != 0 } ?? false
                }
                .map(\.key)
            }
            await pump { !openMenus().isEmpty }
            #expect(openMenus() == [1])
            // An open menu holds the pointer and the keyboard, also after its window, and the next test gets nothing.
            try await user.type("Escape")
            await pump { openMenus().isEmpty }
        }
    }
}
