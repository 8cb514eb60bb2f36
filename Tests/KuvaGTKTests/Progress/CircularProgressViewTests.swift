import CGTK
import KuvaGTK
import KuvaPipeline
import KuvaUI
import Testing

extension WidgetTests {
    @MainActor
    @Suite("Progress rings")
    struct CircularProgressViewTests {
        let window: TestWindow
        let ring = CircularProgressView()

        init() throws { window = try TestWindow() }

        /// A ring of 100 by 100 at the window's top left: its middle is 50, 50.
        private func show() {
            gtk_widget_set_size_request(asWidget(ring.widget), 100, 100)
            window.add(ring.widget, fills: false)
            window.present()
        }

        private func percent(_ value: Int64) {
            ring.show(LoadProgress(receivedByteCount: value, expectedByteCount: 100))
        }

        private func close(_ colour: [UInt8]?, _ expected: [UInt8]) -> Bool {
            guard let colour, colour.count == 4 else { return false }
            return zip(colour, expected).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
        }

        /// CSS Color 4: lightgrey is 211, 211, 211. A quarter of the arc lies between twelve and three o'clock; the line
        /// is 4 wide, and touches the edge.
        @Test func looksAsItIsSaidTo() async throws {
            show()
            percent(25)
            #expect(ring.lineWidth == 4)
            // 45° on from the top: 50 + 48 × cos 45° = 83.9, 50 − 33.9 = 16.1.
            #expect(close(await window.colour(x: 83, y: 16), [255, 0, 0, 255]))
            for (x, y) in [(16, 16), (16, 83), (83, 83), (50, 98), (1, 50)] {
                #expect(close(await window.colour(x: x, y: y), [211, 211, 211, 255]), "at \(x), \(y)")
            }
            percent(100)
            for (x, y) in [(50, 1), (98, 50), (50, 98), (1, 50)] {
                #expect(close(await window.colour(x: x, y: y), [255, 0, 0, 255]), "at \(x), \(y)")
            }
            // Inside of the line there is nothing.
            #expect(await window.colour(x: 50, y: 10) != [255, 0, 0, 255])
        }

        @Test func cssChangesColoursAndWidths() async throws {
            let provider = try #require(gtk_css_provider_new())
            let rules = """
                circularprogress > trough { color: #00ff00; min-width: 10px; }
                circularprogress > progress { color: #0000ff; min-width: 20px; }
                """
            gtk_css_provider_load_from_data(provider, rules, -1)
            let display = try #require(gdk_display_get_default())
            let priority = guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION)
            gtk_style_context_add_provider_for_display(display, OpaquePointer(provider), priority)
            defer {
                gtk_style_context_remove_provider_for_display(display, OpaquePointer(provider))
                g_object_unref(provider)
            }
            show()
            percent(50)
            // The wider line fits: both have the radius 40.
            #expect(close(await window.colour(x: 98, y: 50), [0, 0, 255, 255]))
            #expect(close(await window.colour(x: 82, y: 50), [0, 0, 255, 255]))
            #expect(close(await window.colour(x: 6, y: 50), [0, 255, 0, 255]))
            #expect(close(await window.colour(x: 14, y: 50), [0, 255, 0, 255]))
            #expect(await window.colour(x: 2, y: 50) != [0, 255, 0, 255])
            #expect(ring.lineWidth == 10)
            ring.lineWidth = 6
            #expect(close(await window.colour(x: 3, y: 50), [0, 255, 0, 255]))
            #expect(close(await window.colour(x: 97, y: 50), [0, 0, 255, 255]))
        }

        @Test func isAProgressBarToAssistiveTechnology() async throws {
            show()
            await window.drawFrame()
            let role = gtk_accessible_get_accessible_role(OpaquePointer(ring.widget))
            #expect(role == GTK_ACCESSIBLE_ROLE_PROGRESS_BAR)
        }

        /// Where the desktop wants no animations the ring is at its end at once.
        @Test func jumpsWithoutMotion() async throws {
            let settings = try #require(gtk_settings_get_default())
            let object = UnsafeMutableRawPointer(settings).assumingMemoryBound(to: GObject.self)
            func setMotion(_ isWanted: Bool) {
                var value = GValue()
                g_value_init(&value, GType(5 << 2))
                g_value_set_boolean(&value, isWanted ? 1 : 0)
                g_object_set_property(object, "gtk-enable-animations", &value)
                g_value_unset(&value)
            }
            setMotion(false)
            defer { setMotion(true) }
            show()
            ring.rate = 40
            ring.startAnimation()
            #expect(ring.progress.percent == 40)
        }
    }
}
