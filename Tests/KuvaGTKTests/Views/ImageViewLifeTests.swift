import CGTK
import FoundationEssentials
import KuvaCore
import KuvaGTK
import KuvaPipeline
import KuvaTesting
import Testing

extension WidgetTests {
    @MainActor
    @Suite("Life of an image view")
    struct ImageViewLifeTests {
        let loader = FakeLoader()
        let manager: ImageManager
        let window: TestWindow

        init() throws {
            manager = ImageManager(configuration: .init(loaders: [loader], decoders: FakeDecoders()))
            window = try TestWindow()
        }

        func url(_ name: String) throws -> URL { try #require(URL(string: "http://pictures.test/\(name)")) }

        @Test func widgetKeepsItsViewAndEndsItWithItsLoad() async throws {
            weak var view: ImageView?
            var codes: [ImageError.Code] = []
            let widget: UnsafeMutableRawPointer
            do {
                let made = ImageView(manager: manager)
                made.showsIndicator = true
                view = made
                widget = made.widget
                window.add(widget)
                made.setImage(from: try url("a")) { result in
                    if case .failure(let error) = result { codes.append(error.code) }
                }
            }
            window.present()
            await pump { loader.loads.count == 1 }
            #expect(view != nil)
            window.remove(widget)
            #expect(codes == [.cancelled])
            #expect(loader.loads[0].isCancelled)
            await pump { view == nil }
            #expect(codes == [.cancelled])
        }

        @Test func viewThatOutlivesItsWidgetIsHarmless() async throws {
            let view = ImageView(manager: manager)
            window.add(view.widget)
            window.present()
            await pump(turns: 50)
            window.remove(view.widget)
            #expect(!view.isAlive)
            var codes: [ImageError.Code] = []
            view.setImage(from: try url("a")) { result in
                if case .failure(let error) = result { codes.append(error.code) }
            }
            #expect(codes == [.cancelled])
            view.show(try picture(width: 1, height: 1))
            view.contentFit = .cover
            view.showsIndicator = true
            view.cancelLoad()
            #expect(loader.loads.isEmpty)
        }

        @Test func loadThatWaitsForItsLayoutEndsWithTheWidget() async throws {
            let view = ImageView(manager: manager)
            window.add(view.widget)
            var codes: [ImageError.Code] = []
            view.setImage(from: try url("a")) { result in
                if case .failure(let error) = result { codes.append(error.code) }
            }
            window.remove(view.widget)
            #expect(codes == [.cancelled])
            window.present()
            await pump(turns: 100)
            #expect(loader.loads.isEmpty)
        }

        @Test func adoptedPictureHasOneView() async throws {
            let picture = UnsafeMutableRawPointer(try #require(gtk_picture_new()))
            gtk_picture_set_content_fit(OpaquePointer(picture), GTK_CONTENT_FIT_COVER)
            let view = ImageView.adopting(picture, manager: manager)
            #expect(view === ImageView.adopting(picture, manager: manager))
            #expect(view.widget == picture)
            #expect(view.contentFit == .cover)
            window.add(picture)
            window.present()
            view.setImage(from: try url("a"))
            await pump { loader.loads.count == 1 }
            loader.succeed(0, with: FakeDecoders.file(width: 600, height: 600))
            await pump { (view.image != nil) }
            // The window of 400 × 300 is covered by a square of 400.
            #expect(view.image?.pixelSize == PixelSize(width: 400, height: 400))
            #expect(await window.colour(x: 1, y: 1) == [1, 2, 3, 255])
        }

        @Test func pixelsGoWhenTheyAreNoLongerShown() async throws {
            let view = ImageView(manager: manager)
            window.add(view.widget)
            window.present()
            weak var pixels: PixelBuffer?
            do {
                // Larger than what GTK's GL renderer keeps as icons.
                let image = try KuvaGTKTests.picture(width: 600, height: 600)
                pixels = image.pixels
                view.show(image)
            }
            await pump(turns: 50)
            #expect(pixels != nil)
            view.show(nil)
            // A renderer may keep what it drew for some frames.
            while pixels != nil, !Task.isCancelled { await window.drawFrame() }
            #expect(pixels == nil)
        }

        @Test func sameImageIsNotUploadedAgain() throws {
            let view = ImageView(manager: manager)
            window.add(view.widget)
            let image = try KuvaGTKTests.picture(width: 10, height: 10)
            var texture: OpaquePointer? {
                let current = gdk_paintable_get_current_image(gtk_picture_get_paintable(OpaquePointer(view.picture)))
                g_object_unref(UnsafeMutableRawPointer(current))
                return current
            }
            view.show(image)
            let first = texture
            view.show(image)
            #expect(texture == first)
            view.show(try KuvaGTKTests.picture(width: 10, height: 10))
            #expect(texture != first)
        }
    }
}
