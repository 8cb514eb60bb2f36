import CGTK
import KuvaCore
import KuvaGTK
import KuvaPipeline
import KuvaTesting
import Testing

extension WidgetTests {
    /// Clicks and keys of a user, and what the window shows then.
    @MainActor
    @Suite("Real input", .enabled(if: User.isThere))
    struct RealInputTests {
        let stage: WidgetStage
        init() throws { stage = try WidgetStage() }

        private let seesRed: [UInt8] = [255, 0, 0, 255]
        private let seesGreen: [UInt8] = [0, 255, 0, 255]
        private let seesBlue: [UInt8] = [0, 0, 255, 255]

        /// Lets the window draw until it shows a colour at its middle, or the time limit ends the test.
        private func waitFor(_ colour: [UInt8]) async {
            while await stage.window.colour(x: 200, y: 150) != colour, !Task.isCancelled {}
        }

        @Test func buttonShowsThePicturesOfItsStatesAsItIsUsed() async throws {
            let button = ImageButton(manager: stage.manager)
            stage.window.add(button.widget)
            button.show(try picture(width: 40, height: 30, red), in: .buttonImage(.normal))
            button.show(try picture(width: 40, height: 30, green), in: .buttonImage(.hover))
            button.show(try picture(width: 40, height: 30, blue), in: .buttonImage(.active))
            var clicks = 0
            Signal.connect(button.widget, "clicked") { clicks += 1 }
            let corner = UnsafeMutableRawPointer(try #require(gtk_label_new("beside")))
            stage.window.add(corner, fills: false)
            let user = try await User(of: stage.window)
            try await user.move(to: 5, 5, of: corner)
            await waitFor(seesRed)
            try await user.move(to: 60, 60, of: button.widget)
            await waitFor(seesGreen)
            try await user.press(1)
            await waitFor(seesBlue)
            #expect(clicks == 0)
            try await user.release(1)
            await waitFor(seesGreen)
            #expect(clicks == 1)
            try await user.move(to: 5, 5, of: corner)
            await waitFor(seesRed)
        }

        @Test func pointerAndPressHighlightAView() async throws {
            let view = await stage.shownView()
            view.highlightsOn = [.hover, .press]
            view.show(try picture(width: 40, height: 30, red))
            view.show(try picture(width: 40, height: 30, green), in: .highlightedImage)
            let corner = UnsafeMutableRawPointer(try #require(gtk_label_new("beside")))
            stage.window.add(corner, fills: false)
            let user = try await User(of: stage.window)
            try await user.move(to: 5, 5, of: corner)
            await waitFor(seesRed)
            try await user.move(to: 50, 50, of: view.widget)
            await waitFor(seesGreen)
            try await user.press(1)
            try await user.release(1)
            #expect(view.isHighlighted)
            try await user.move(to: 5, 5, of: corner)
            await waitFor(seesRed)
            #expect(!view.isHighlighted)
        }

        @Test(arguments: ["shift+F10", "Menu"])
        func menuKeyOpensTheMenuAndEscapeClosesIt(_ key: String) async throws {
            let view = await stage.shownView()
            view.enabledActions = .contextMenu
            view.show(try picture(width: 40, height: 30, red))
            gtk_widget_set_focusable(asWidget(view.widget), 1)
            let user = try await User(of: stage.window)
            gtk_widget_grab_focus(asWidget(view.widget))
            let menu = try #require(popover(of: view))
            #expect(gtk_widget_get_visible(menu) == 0)
            try await user.type(key)
            await pump { gtk_widget_get_mapped(menu) != 0 }
            try await user.type("Escape")
            await pump { gtk_widget_get_visible(menu) == 0 }
            // Without the action there is no menu.
            view.enabledActions = []
            #expect(!view.openContextMenu())
        }

        @Test func rightButtonOpensTheMenu() async throws {
            let view = await stage.shownView()
            view.enabledActions = .contextMenu
            view.show(try picture(width: 40, height: 30, red))
            let user = try await User(of: stage.window)
            try await user.move(to: 50, 50, of: view.widget)
            let menu = try #require(popover(of: view))
            try await user.press(3)
            await pump { gtk_widget_get_mapped(menu) != 0 }
            try await user.release(3)
        }
    }
}
