import CGTK
import FoundationEssentials
import KuvaCore
import KuvaGTK
import KuvaPipeline
import KuvaTesting
import KuvaUI
import Testing

extension WidgetTests {
    @MainActor
    @Suite("Image view")
    struct ImageViewTests {
        let loader = FakeLoader()
        let memory = FakeImageCache()
        let manager: ImageManager
        let window: TestWindow
        /// The colour of everything that the fake decoder gives.
        let decoded: [UInt8] = [1, 2, 3, 255]

        init() throws {
            manager = ImageManager(
                configuration: .init(memoryCache: memory, loaders: [loader], decoders: FakeDecoders())
            )
            window = try TestWindow()
        }

        func url(_ name: String) throws -> URL { try #require(URL(string: "http://pictures.test/\(name)")) }

        func key(_ name: String, _ target: TargetSize) throws -> CacheKey {
            ImageRequest(url: try url(name), targetSize: target, scale: 1).cacheKey
        }

        func widget(_ raw: UnsafeMutableRawPointer) -> UnsafeMutablePointer<GtkWidget> {
            raw.assumingMemoryBound(to: GtkWidget.self)
        }

        /// A view in the window that has been laid out and drawn.
        func shownView() async -> ImageView {
            let view = ImageView(manager: manager)
            window.add(view.widget)
            window.present()
            await pump { gtk_widget_get_width(widget(view.picture)) > 0 }
            return view
        }

        @Test func pictureIsLoadedInTheSizeOfTheViewOnceThatIsKnown() async throws {
            let view = ImageView(manager: manager)
            window.add(view.widget)
            var ends: [ImageResponse.Origin?] = []
            view.setImage(from: try url("a")) { result in ends.append(try? result.get().origin) }
            #expect(view.isLoading)
            await pump(turns: 20)
            #expect(loader.loads.isEmpty)
            window.present()
            await pump { loader.loads.count == 1 }
            loader.succeed(0, with: FakeDecoders.file(width: 4_000, height: 3_000))
            await pump { !ends.isEmpty }
            #expect(ends == [.local])
            // 4:3 in 4:3: exactly the window.
            #expect(view.image?.pixelSize == PixelSize(width: 400, height: 300))
            #expect(!view.isLoading)
            #expect(await window.colour(x: 200, y: 150) == decoded)
        }

        @Test func memoryHitIsShownBeforeTheCallReturns() async throws {
            let view = await shownView()
            let target = TargetSize(PixelSize(width: 400, height: 300))
            memory.store(try picture(width: 400, height: 300), for: try key("a", target))
            var origin: ImageResponse.Origin?
            view.setImage(from: try url("a"), placeholder: try picture(width: 1, height: 1)) { result in
                origin = try? result.get().origin
            }
            #expect(origin == .memory)
            #expect(await window.colour(x: 10, y: 10) == [255, 0, 0, 255])
            #expect(loader.loads.isEmpty)
        }

        @Test func memoryHitIsInTheFirstFrameOfANewView() async throws {
            let target = TargetSize(PixelSize(width: 400, height: 300))
            memory.store(try picture(width: 400, height: 300), for: try key("a", target))
            let view = ImageView(manager: manager)
            window.add(view.widget)
            view.setImage(from: try url("a"))
            var frames: [Bool] = []
            window.onPaint { frames.append(view.image != nil) }
            window.present()
            await pump { !frames.isEmpty }
            #expect(frames.first == true)
        }

        @Test func requestedSizeNeedsNoLayout() async throws {
            let view = ImageView(manager: manager)
            window.add(view.widget)
            gtk_widget_set_size_request(widget(view.widget), 120, 80)
            view.contentFit = .cover
            let target = TargetSize(PixelSize(width: 120, height: 80), mode: .aspectFill)
            memory.store(try picture(width: 120, height: 80), for: try key("a", target))
            view.setImage(from: try url("a"))
            #expect(view.image != nil)
        }

        @Test func viewOnAHiddenPageWaitsUntilItIsShown() async throws {
            let stack = try #require(gtk_stack_new())
            let view = ImageView(manager: manager)
            gtk_stack_add_named(OpaquePointer(stack), gtk_label_new("front"), "front")
            gtk_stack_add_named(OpaquePointer(stack), widget(view.widget), "back")
            window.add(UnsafeMutableRawPointer(stack))
            view.setImage(from: try url("a"))
            window.present()
            await pump { gtk_widget_get_width(stack) > 0 }
            await pump(turns: 200)
            #expect(loader.loads.isEmpty)
            gtk_stack_set_visible_child_name(OpaquePointer(stack), "back")
            await pump { loader.loads.count == 1 }
        }

        @Test func viewWithoutASizeTakesThatOfItsPicture() async throws {
            let view = ImageView(manager: manager)
            window.add(view.widget, fills: false)
            view.setImage(from: try url("a"))
            window.present()
            await pump { loader.loads.count == 1 }
            loader.succeed(0, with: FakeDecoders.file(width: 60, height: 40))
            await pump { gtk_widget_get_width(widget(view.picture)) > 0 }
            #expect(gtk_widget_get_width(widget(view.picture)) == 60)
            #expect(gtk_widget_get_height(widget(view.picture)) == 40)
            // A view that follows its picture follows the next one too, though it has a size now.
            view.setImage(from: try url("b"))
            await pump { loader.loads.count == 2 }
            loader.succeed(1, with: FakeDecoders.file(width: 90, height: 70))
            await pump { gtk_widget_get_width(widget(view.picture)) == 90 }
        }

        @Test func pictureIsDecodedAgainWhenTheViewGrows() async throws {
            let view = ImageView(manager: manager)
            window.add(view.widget, fills: false)
            gtk_widget_set_size_request(widget(view.widget), 90, 60)
            window.present()
            var ends = 0
            view.setImage(from: try url("a"), placeholder: try picture(width: 1, height: 1)) { _ in ends += 1 }
            await pump { loader.loads.count == 1 }
            loader.succeed(0, with: FakeDecoders.file(width: 300, height: 200))
            await pump { ends == 1 }
            let small = try #require(view.image)
            #expect(small.pixelSize == PixelSize(width: 90, height: 60))
            // Within an eighth: nothing happens.
            gtk_widget_set_size_request(widget(view.widget), 99, 66)
            await pump { gtk_widget_get_width(widget(view.picture)) == 99 }
            await pump(turns: 100)
            #expect(loader.loads.count == 1)
            // More: the picture comes again, and until then the small one stays.
            gtk_widget_set_size_request(widget(view.widget), 180, 120)
            await pump { loader.loads.count == 2 }
            #expect(view.image?.pixels === small.pixels)
            #expect(!view.isLoading)
            loader.succeed(1, with: FakeDecoders.file(width: 300, height: 200))
            await pump { view.image?.pixels !== small.pixels }
            #expect(view.image?.pixelSize == PixelSize(width: 180, height: 120))
            #expect(ends == 1)
        }

        @Test func newPictureReplacesTheLoadBefore() async throws {
            let view = await shownView()
            var order: [String] = []
            view.setImage(from: try url("a")) { result in
                if case .failure(let error) = result { order.append("a \(error.code)") }
            }
            await pump { loader.loads.count == 1 }
            view.setImage(from: try url("b")) { result in order.append("b \((try? result.get()) != nil)") }
            await pump { loader.loads.count == 2 }
            #expect(loader.loads[0].isCancelled)
            loader.succeed(1, with: FakeDecoders.file(width: 8, height: 6))
            await pump { order.count == 2 }
            #expect(order == ["a replaced", "b true"])
            #expect(view.image?.pixelSize == PixelSize(width: 8, height: 6))
        }

        @Test func progressIsToldBeforeTheEnd() async throws {
            let view = await shownView()
            var log: [String] = []
            view.setImage(
                from: try url("a"),
                progress: { log.append("\($0.receivedByteCount)") },
                completion: { _ in log.append("end") }
            )
            await pump { loader.loads.count == 1 }
            loader.progress(0, received: 5, expected: 10)
            loader.succeed(0, with: FakeDecoders.file(width: 8, height: 6))
            await pump { log.last == "end" }
            #expect(log == ["5", "end"])
        }

        @Test func showingAPictureEndsTheLoad() async throws {
            let view = await shownView()
            var codes: [ImageError.Code] = []
            view.setImage(from: try url("a")) { result in
                if case .failure(let error) = result { codes.append(error.code) }
            }
            await pump { loader.loads.count == 1 }
            view.show(try picture(width: 4, height: 3, (0, 255, 0, 255)))
            #expect(codes == [.cancelled])
            #expect(loader.loads[0].isCancelled)
            #expect(await window.colour(x: 200, y: 150) == [0, 255, 0, 255])
            view.show(nil)
            #expect(await window.colour(x: 200, y: 150) != [0, 255, 0, 255])
        }

        @Test func spinnerTurnsOnlyIfWantedAndOnlyWhileLoading() async throws {
            let view = await shownView()
            var spinner: UnsafeMutablePointer<GtkWidget>? {
                let last = gtk_widget_get_last_child(widget(view.widget))
                return last == widget(view.picture) ? nil : last
            }
            view.setImage(from: try url("a"))
            #expect(spinner == nil)
            view.showsIndicator = true
            let made = try #require(spinner)
            #expect(gtk_spinner_get_spinning(OpaquePointer(made)) == 1)
            #expect(gtk_widget_get_visible(made) == 1)
            await pump { loader.loads.count == 1 }
            loader.fail(0, with: ImageError(.timedOut, "too slow"))
            await pump { !view.isLoading }
            #expect(gtk_spinner_get_spinning(OpaquePointer(made)) == 0)
            #expect(gtk_widget_get_visible(made) == 0)
        }
    }
}
