import CGTK
import KuvaCore
import KuvaGTK
import KuvaPipeline
import KuvaTesting
import Testing

extension WidgetTests {
    @MainActor
    @Suite("Indicators")
    struct IndicatorTests {
        let stage: WidgetStage
        init() throws { stage = try WidgetStage() }

        private func indicator(of view: ImageView) -> UnsafeMutablePointer<GtkWidget>? {
            let last = gtk_widget_get_last_child(asWidget(view.widget))
            return last == asWidget(view.picture) ? nil : last
        }

        @Test func offByDefaultAndReadable() {
            let view = ImageView(manager: stage.manager)
            defer { g_object_unref(g_object_ref_sink(view.widget)) }
            #expect(!view.showsIndicator)
            if case .spinner(.medium) = view.indicatorStyle {} else { Issue.record("a medium spinner is the default") }
        }

        @Test(arguments: SpinnerIndicator.Size.allCases)
        func spinnersHaveThreeSizes(_ size: SpinnerIndicator.Size) async throws {
            let view = await stage.shownView()
            view.indicatorStyle = .spinner(size)
            view.showsIndicator = true
            view.setImage(from: try stage.url("a"))
            let spinner = try #require(indicator(of: view))
            #expect(gtk_spinner_get_spinning(OpaquePointer(spinner)) == 1)
            await pump { gtk_widget_get_width(spinner) == size.rawValue }
        }

        @Test("testUIViewIndicatorWork: starts, follows the progress, stops, and goes when another takes its place")
        func barFollowsTheProgress() async throws {
            let view = await stage.shownView()
            view.indicatorStyle = .progressBar
            view.showsIndicator = true
            view.setImage(from: try stage.url("a"))
            let bar = try #require(indicator(of: view))
            #expect(gtk_progress_bar_get_fraction(OpaquePointer(bar)) == 0)
            await pump { stage.loader.loads.count == 1 }
            stage.loader.progress(0, received: 1, expected: 4)
            await pump { gtk_progress_bar_get_fraction(OpaquePointer(bar)) == 0.25 }
            view.indicatorStyle = .spinner(.small)
            #expect(indicator(of: view) != bar)
            await stage.succeed("a", width: 8, height: 6)
            await pump { !view.isLoading }
            #expect(indicator(of: view).map { gtk_widget_get_visible($0) } == 0)
        }

        @Test func anyWidgetCanBeOne() async throws {
            final class Log { var fractions: [Double?] = [] }
            let log = Log()
            let view = await stage.shownView()
            let label = try #require(gtk_label_new("wait"))
            view.indicatorStyle = .custom {
                CustomIndicator(UnsafeMutableRawPointer(label)) { log.fractions.append($0.fraction) }
            }
            view.showsIndicator = true
            view.setImage(from: try stage.url("a"))
            #expect(gtk_widget_get_parent(label) == asWidget(view.widget))
            await pump { stage.loader.loads.count == 1 }
            stage.loader.progress(0, received: 1, expected: 2)
            await pump { log.fractions == [nil, 0.5] }
            view.showsIndicator = false
            #expect(gtk_widget_get_visible(label) == 0)
        }

        @Test func adoptedPictureInAnOverlayHasAPlaceForOne() async throws {
            let overlay = try #require(gtk_overlay_new())
            let picture = try #require(gtk_picture_new())
            let view = ImageView.adopting(UnsafeMutableRawPointer(picture), manager: stage.manager)
            gtk_overlay_set_child(OpaquePointer(overlay), picture)
            view.showsIndicator = true
            stage.window.add(UnsafeMutableRawPointer(overlay))
            view.setImage(from: try stage.url("a"))
            #expect(gtk_widget_get_last_child(overlay) != picture)
        }
    }
}
