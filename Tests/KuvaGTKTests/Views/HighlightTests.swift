import CGTK
import FoundationEssentials
import KuvaCore
import KuvaGTK
import KuvaPipeline
import KuvaTesting
import Testing

extension WidgetTests {
    @MainActor
    @Suite("Highlighted picture")
    struct HighlightTests {
        let stage: WidgetStage
        init() throws { stage = try WidgetStage() }

        @Test("testUIImageViewSetHighlightedImageWithURL: a slot with its own URL, load and cancel")
        func hasAUrlAndALoadOfItsOwn() async throws {
            let view = await stage.shownView()
            var ends: [String] = []
            view.setImage(from: try stage.url("plain")) { _ in ends.append("plain") }
            view.setImage(from: try stage.url("lit"), in: .highlightedImage) { _ in ends.append("lit") }
            #expect(view.imageURL()?.lastPathComponent == "plain")
            #expect(view.imageURL(in: .highlightedImage)?.lastPathComponent == "lit")
            await stage.succeed("lit", width: 20, height: 20)
            await pump { ends == ["lit"] }
            #expect(view.currentImage == nil || view.currentSlot == .image)
            view.cancelLoad(in: .highlightedImage)
            #expect(ends == ["lit"])
            view.cancelLoad()
            #expect(ends == ["lit", "plain"])
        }

        @Test func isSeenOnlyWhileHighlighted() async throws {
            let view = await stage.shownView()
            view.show(try picture(width: 40, height: 30, red))
            view.show(try picture(width: 40, height: 30, green), in: .highlightedImage)
            #expect(await stage.window.colour(x: 200, y: 150) == [255, 0, 0, 255])
            view.isHighlighted = true
            #expect(await stage.window.colour(x: 200, y: 150) == [0, 255, 0, 255])
            view.isHighlighted = false
            #expect(await stage.window.colour(x: 200, y: 150) == [255, 0, 0, 255])
        }

        @Test func withoutOneThePlainPictureStays() async throws {
            let view = await stage.shownView()
            view.show(try picture(width: 40, height: 30, red))
            view.isHighlighted = true
            #expect(await stage.window.colour(x: 200, y: 150) == [255, 0, 0, 255])
        }

        @Test func pointerAndPressMakeItHighlighted() async throws {
            let view = await stage.shownView()
            view.highlightsOn = [.hover, .press]
            func emit(_ name: String, on type: GType) {
                let list = gtk_widget_observe_controllers(asWidget(view.widget))
                defer { g_object_unref(UnsafeMutableRawPointer(list)) }
                for index in 0..<g_list_model_get_n_items(list) {
                    guard let controller = g_list_model_get_item(list, index) else { continue }
                    defer { g_object_unref(controller) }
                    let instance = controller.assumingMemoryBound(to: GTypeInstance.self)
                    guard g_type_check_instance_is_a(instance, type) != 0 else { continue }
                    emitSignal(controller, name)
                }
            }
            emit("enter", on: gtk_event_controller_motion_get_type())
            #expect(view.isHighlighted)
            emit("pressed", on: gtk_gesture_click_get_type())
            emit("leave", on: gtk_event_controller_motion_get_type())
            #expect(view.isHighlighted)
            emit("released", on: gtk_gesture_click_get_type())
            #expect(!view.isHighlighted)
            view.highlightsOn = []
            #expect(view.highlightsOn.isEmpty)
        }
    }
}

/// Emits a signal as GTK does, with zeros as its arguments.
@MainActor
func emitSignal(_ object: UnsafeMutableRawPointer, _ name: String) {
    let type = object.assumingMemoryBound(to: GTypeInstance.self).pointee.g_class.pointee.g_type
    var query = GSignalQuery()
    g_signal_query(g_signal_lookup(name, type), &query)
    var values = [GValue](repeating: GValue(), count: Int(query.n_params) + 1)
    g_value_init(&values[0], type)
    g_value_set_object(&values[0], object)
    for index in 0..<Int(query.n_params) { g_value_init(&values[index + 1], query.param_types[index]) }
    var result = GValue()
    if query.return_type != GType(1 << 2) { g_value_init(&result, query.return_type) }
    g_signal_emitv(&values, query.signal_id, 0, &result)
    for index in values.indices { g_value_unset(&values[index]) }
}
