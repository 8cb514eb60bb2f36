import CGTK
import FoundationEssentials
import KuvaCore
import KuvaGTK
import KuvaPipeline
import KuvaTesting
import Testing

extension WidgetTests {
    @MainActor
    @Suite("Image button")
    struct ImageButtonTests {
        let stage: WidgetStage
        let button: ImageButton

        init() throws {
            stage = try WidgetStage()
            button = ImageButton(manager: stage.manager)
            stage.window.add(button.widget)
            stage.window.present()
        }

        private func set(_ flags: GtkStateFlags) {
            gtk_widget_set_state_flags(asWidget(button.widget), flags, 1)
        }

        @Test("testUIButtonSetImageWithURLNormalState, …HighlightedState: an image and a URL for each state")
        func imageAndUrlForEachState() async throws {
            await pump { gtk_widget_get_width(asWidget(button.widget)) > 0 }
            var ends: [String] = []
            for state in ButtonState.allCases {
                button.setImage(from: try stage.url(state.rawValue), for: state) { result in
                    if (try? result.get()) != nil { ends.append(state.rawValue) }
                }
            }
            for state in ButtonState.allCases {
                #expect(button.imageURL(for: state)?.lastPathComponent == state.rawValue)
                await stage.succeed(state.rawValue, width: 20, height: 20)
            }
            await pump { ends.count == ButtonState.allCases.count }
            #expect(Set(ends) == Set(ButtonState.allCases.map(\.rawValue)))
        }

        @Test func stateShowsItsPictureOrThatOfTheNormalState() async throws {
            button.show(try picture(width: 20, height: 20, red), in: .buttonImage(.normal))
            button.show(try picture(width: 20, height: 20, green), in: .buttonImage(.hover))
            button.show(try picture(width: 20, height: 20, blue), in: .buttonImage(.active))
            func shown() -> UInt32? {
                button.currentImage?.pixels.rgba(x: 0, y: 0).map {
                    UInt32($0.red) << 16 | UInt32($0.green) << 8 | UInt32($0.blue)
                }
            }
            #expect(shown() == 0xFF0000)
            set(GTK_STATE_FLAG_PRELIGHT)
            #expect(shown() == 0x00FF00)
            // Pressed counts more than hovered.
            set(GtkStateFlags(GTK_STATE_FLAG_PRELIGHT.rawValue | GTK_STATE_FLAG_ACTIVE.rawValue))
            #expect(shown() == 0x0000FF)
            set(GTK_STATE_FLAG_CHECKED)
            #expect(shown() == 0xFF0000)
            gtk_widget_set_sensitive(asWidget(button.widget), 0)
            #expect(shown() == 0xFF0000)
            button.show(try picture(width: 20, height: 20, blue), in: .buttonImage(.disabled))
            #expect(shown() == 0x0000FF)
        }

        @Test func currentUrlFallsBackToTheNormalState() throws {
            button.setImage(from: try stage.url("plain"), for: .normal)
            button.setImage(from: try stage.url("over"), for: .hover)
            button.setBackgroundImage(from: try stage.url("behind"))
            #expect(button.currentImageURL?.lastPathComponent == "plain")
            set(GTK_STATE_FLAG_PRELIGHT)
            #expect(button.currentImageURL?.lastPathComponent == "over")
            #expect(button.currentBackgroundImageURL?.lastPathComponent == "behind")
            set(GTK_STATE_FLAG_CHECKED)
            #expect(button.currentImageURL?.lastPathComponent == "plain")
        }

        @Test("testUIButtonSetBackgroundImageWithURLNormalState: it lies behind and covers the button")
        func backgroundCoversTheButton() async throws {
            await pump { gtk_widget_get_width(asWidget(button.widget)) > 0 }
            button.setBackgroundImage(from: try stage.url("back"))
            await stage.succeed("back", width: 800, height: 600)
            await pump { button.currentBackgroundImage != nil }
            #expect(await stage.window.colour(x: 200, y: 40) == [1, 2, 3, 255])
            button.show(try picture(width: 40, height: 40, red), in: .buttonImage(.normal))
            #expect(await stage.window.colour(x: 200, y: 150) == [255, 0, 0, 255])
        }

        @Test("testUIButtonBackgroundImageCancelCurrentImageLoad: cancelling takes the operation away")
        func cancelTakesTheOperationAway() throws {
            var codes: [ImageError.Code] = []
            button.setBackgroundImage(from: try stage.url("back")) { result in
                if case .failure(let error) = result { codes.append(error.code) }
            }
            #expect(button.imageBinding.operations(in: .buttonBackground(.normal)).count == 1)
            button.cancelBackgroundImageLoad(for: .normal)
            #expect(button.imageBinding.operations(in: .buttonBackground(.normal)).isEmpty)
            #expect(codes == [.cancelled])
        }

        @Test func adoptedButtonKeepsItsContentAndItsClicks() async throws {
            let toggle = try #require(gtk_toggle_button_new_with_label("Like"))
            let adopted = ImageButton.adopting(UnsafeMutableRawPointer(toggle), manager: stage.manager)
            #expect(adopted === ImageButton.adopting(UnsafeMutableRawPointer(toggle), manager: stage.manager))
            stage.window.add(adopted.widget, fills: false)
            adopted.show(try picture(width: 20, height: 20, red), in: .buttonImage(.normal))
            adopted.show(try picture(width: 20, height: 20, green), in: .buttonImage(.checked))
            var clicks = 0
            Signal.connect(adopted.widget, "clicked") { clicks += 1 }
            await pump { gtk_widget_get_width(toggle) > 0 }
            gtk_widget_activate(toggle)
            await pump { clicks == 1 }
            #expect(adopted.currentImage?.pixels.rgba(x: 0, y: 0)?.green == 255)
        }

        @Test func endOfTheWidgetEndsItsLoads() async throws {
            var codes: [ImageError.Code] = []
            for state in [ButtonState.normal, .hover] {
                button.setImage(from: try stage.url(state.rawValue), for: state) { result in
                    if case .failure(let error) = result { codes.append(error.code) }
                }
            }
            stage.window.remove(button.widget)
            // The window may hold what had its focus for a while.
            await pump { !button.isAlive }
            #expect(codes == [.cancelled, .cancelled])
            button.setImage(from: try stage.url("late"), for: .normal) { result in
                if case .failure(let error) = result { codes.append(error.code) }
            }
            #expect(codes.count == 3)
            #expect(stage.loader.loads.isEmpty)
        }
    }
}
