import CGTK
import KuvaCore
import KuvaGTK
import KuvaPipeline
import KuvaTesting
import Testing

extension WidgetTests {
    @MainActor
    @Suite("Transitions of widgets")
    struct TransitionTests {
        let stage: WidgetStage
        init() throws { stage = try WidgetStage() }

        private final class Witness {
            var steps: [Double] = []
            var ends: [Bool] = []
        }

        /// Shows green with a transition, which takes so long by default that the test ends it.
        private func turnGreen(
            _ view: ImageView,
            _ style: ImageTransition.Style = .crossfade,
            for duration: Duration = .seconds(10_000)
        ) throws -> Witness {
            // Unsafe: everything here stays on the main actor.
            nonisolated(unsafe) let witness = Witness()
            let transition = ImageTransition(style, duration: duration, step: { witness.steps.append($0) })
            view.display(try picture(width: 40, height: 30, green), in: .image, with: transition) {
                witness.ends.append($0)
            }
            return witness
        }

        @Test func crossfadeBeginsWithTheOldPictureAndEndsWithTheNew() async throws {
            let view = await stage.shownView()
            view.show(try picture(width: 40, height: 30, red))
            let witness = try turnGreen(view)
            #expect(await stage.window.colour(x: 200, y: 150) == [255, 0, 0, 255])
            await pump { !witness.steps.isEmpty }
            #expect(witness.ends.isEmpty)
            view.display(try picture(width: 40, height: 30, blue), in: .image)
            #expect(witness.steps.last == 1)
            #expect(witness.ends == [false])
            #expect(await stage.window.colour(x: 200, y: 150) == [0, 0, 255, 255])
        }

        @Test func shortTransitionComesToItsEnd() async throws {
            let view = await stage.shownView()
            let witness = try turnGreen(view, .slide(from: .leading), for: .milliseconds(30))
            await pump { witness.ends == [true] }
            #expect(await stage.window.colour(x: 200, y: 150) == [0, 255, 0, 255])
        }

        @Test(arguments: [ImageTransition.Style.slide(from: .trailing), .flip(from: .top)])
        func beginsWithTheOldPicture(_ style: ImageTransition.Style) async throws {
            let view = await stage.shownView()
            view.show(try picture(width: 40, height: 30, red))
            let witness = try turnGreen(view, style)
            #expect(await stage.window.colour(x: 200, y: 150) == [255, 0, 0, 255])
            #expect(witness.ends.isEmpty)
        }

        @Test func whoWantsNoMotionGetsThePictureAtOnce() async throws {
            let view = await stage.shownView()
            setAnimations(false)
            defer { setAnimations(true) }
            let witness = try turnGreen(view)
            #expect(witness.ends == [true])
            #expect(witness.steps == [1])
        }

        @Test func hiddenViewGetsThePictureAtOnce() throws {
            let view = ImageView(manager: stage.manager)
            stage.window.add(view.widget)
            #expect(try turnGreen(view).ends == [true])
        }

        @Test func endOfTheWidgetEndsTheTransition() async throws {
            let view = await stage.shownView()
            let witness = try turnGreen(view)
            stage.window.remove(view.widget)
            #expect(witness.ends == [false])
        }

        private func setAnimations(_ isOn: Bool) {
            var value = GValue()
            g_value_init(&value, GType(5 << 2))
            g_value_set_boolean(&value, isOn ? 1 : 0)
            let settings = UnsafeMutableRawPointer(gtk_settings_get_default()!)
            g_object_set_property(settings.assumingMemoryBound(to: GObject.self), "gtk-enable-animations", &value)
            g_value_unset(&value)
        }
    }
}
