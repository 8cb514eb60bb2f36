import CGTK
import KuvaCore
import KuvaGTK
import KuvaPipeline
import KuvaTesting
import Testing

extension WidgetTests {
    @MainActor
    @Suite("Actions on pictures")
    struct ImageActionsTests {
        let stage: WidgetStage
        init() throws { stage = try WidgetStage() }

        private func loadedView() async throws -> ImageView {
            let view = await stage.shownView()
            view.setImage(from: try stage.url("a.png"))
            await stage.succeed("a.png", width: 40, height: 30)
            await pump { view.image != nil }
            return view
        }

        @Test func clipboardGetsThePictureAndItsAddress() async throws {
            let view = try await loadedView()
            #expect(view.copyToClipboard())
            let clipboard = gtk_widget_get_clipboard(asWidget(view.widget))
            let formats = gdk_clipboard_get_formats(clipboard)
            #expect(gdk_content_formats_contain_gtype(formats, gdk_texture_get_type()) != 0)
            #expect(gdk_content_formats_contain_gtype(formats, GType(16 << 2)) != 0)
            #expect(view.copyAddressToClipboard())
            #expect(gdk_content_formats_contain_gtype(gdk_clipboard_get_formats(clipboard), GType(16 << 2)) != 0)
        }

        @Test func withoutAPictureThereIsNothingToCopy() async {
            let view = await stage.shownView()
            #expect(!view.copyToClipboard())
            #expect(!view.copyAddressToClipboard())
        }

        @Test func actionsOfTheMenuFollowWhatIsShown() async throws {
            let view = await stage.shownView()
            view.enabledActions = .all
            let clipboard = gtk_widget_get_clipboard(asWidget(view.widget))
            gdk_clipboard_set_content(clipboard, nil)
            func copy() -> Bool { gtk_widget_activate_action_variant(asWidget(view.picture), "image.copy", nil) != 0 }
            // There is the action, but it does nothing.
            #expect(copy())
            #expect(gdk_clipboard_get_content(clipboard) == nil)
            view.setImage(from: try stage.url("a"))
            await stage.succeed("a", width: 40, height: 30)
            await pump { view.image != nil }
            #expect(copy())
            #expect(gdk_clipboard_get_content(clipboard) != nil)
            view.enabledActions = []
            #expect(!copy())
        }

        @Test func reloadingGoesToTheSourceAndKeepsThePictureMeanwhile() async throws {
            let view = try await loadedView()
            let before = view.image?.pixels
            view.reload()
            #expect(view.image?.pixels === before)
            await pump { stage.loader.loads.count == 2 }
        }

        @Test func widgetWithActionsEndsCleanly() async throws {
            weak var view: ImageView?
            do {
                let made = try await loadedView()
                made.enabledActions = .all
                view = made
            }
            if let widget = view?.widget { stage.window.remove(widget) }
            await pump { view == nil }
        }
    }
}
