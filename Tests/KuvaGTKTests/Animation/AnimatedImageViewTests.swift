import CGTK
import KuvaCore
import KuvaGTK
import KuvaPipeline
import KuvaTesting
import KuvaUI
import Testing

extension WidgetTests {
    @MainActor
    @Suite("Animated image view")
    struct AnimatedImageViewTests {
        /// Frames of one colour each.
        final class Colours: AnimatedImageProvider {
            static let all: [(UInt8, UInt8, UInt8, UInt8)] = [(255, 0, 0, 255), (0, 255, 0, 255), (0, 0, 255, 255)]
            let format = ImageFormat.gif
            let layout: PixelLayout
            let timeline: AnimationTimeline
            let encodedByteCount = 0

            init(_ timeline: AnimationTimeline) throws {
                layout = try PixelLayout(size: PixelSize(width: 8, height: 8))
                self.timeline = timeline
            }

            func frame(at index: Int, pool: PixelBufferPool) throws(ImageError) -> PixelBuffer {
                do { return try KuvaGTKTests.picture(width: 8, height: 8, Self.all[index % 3]).pixels } catch {
                    throw ImageError(.outOfMemory, "no pixels", cause: error)
                }
            }
        }

        let window: TestWindow
        let view: AnimatedImageView

        init() throws {
            window = try TestWindow()
            view = AnimatedImageView(
                manager: ImageManager(
                    configuration: .init(
                        memoryCache: FakeImageCache(),
                        loaders: [FakeLoader()],
                        decoders: FakeDecoders()
                    )
                )
            )
            window.add(view.imageView.widget)
        }

        private func animation(_ frames: Int, milliseconds: Int, laps: Int? = nil) throws -> AnimatedImage {
            let durations = [Duration](repeating: .milliseconds(milliseconds), count: frames)
            return try AnimatedImage(firstOf: try Colours(AnimationTimeline(durations: durations, lapCount: laps)))
        }

        private var picture: UnsafeMutablePointer<GtkWidget> {
            view.imageView.picture.assumingMemoryBound(to: GtkWidget.self)
        }

        @Test func playsOnceItIsShownAndStopsAfterItsLaps() async throws {
            var (frames, laps) = ([Int](), [Int?]())
            view.frameHandler = { frames.append($0) }
            view.lapHandler = { laps.append($0) }
            view.image = try animation(3, milliseconds: 30, laps: 2)
            #expect(view.currentFrameIndex == 0)
            #expect(!view.isAnimating)
            await pump(turns: 20)
            #expect(frames.isEmpty)
            window.present()
            await pump { laps.count == 2 }
            // A busy machine misses refreshes, and then frames are passed over, never shown late or out of order.
            #expect(frames.last == 2)
            var inOrder = [1, 2, 0, 1, 2][...]
            for frame in frames {
                let place = try #require(inOrder.firstIndex(of: frame))
                inOrder = inOrder[(place + 1)...]
            }
            #expect(laps == [1, 0])
            #expect(!view.isAnimating)
            #expect(await window.colour(x: 200, y: 150) == [0, 0, 255, 255])
            // What has ended does not begin again.
            gtk_widget_set_visible(picture, 0)
            gtk_widget_set_visible(picture, 1)
            await window.drawFrame()
            #expect(!view.isAnimating)
        }

        @Test func stopsWhileNobodySeesIt() async throws {
            window.present()
            view.image = try animation(2, milliseconds: 20)
            await pump { view.isAnimating && view.currentFrameIndex == 1 }
            gtk_widget_set_opacity(picture, 0)
            #expect(!view.isAnimating)
            gtk_widget_set_opacity(picture, 0.5)
            #expect(view.isAnimating)
            gtk_widget_set_visible(picture, 0)
            #expect(!view.isAnimating)
            gtk_widget_set_visible(picture, 1)
            await pump { view.isAnimating }
            view.stopAnimating()
            #expect(!view.isAnimating)
            gtk_widget_set_opacity(picture, 1)
            #expect(!view.isAnimating)
        }

        @Test func aNewAnimationStartsAtItsPosterAndTheSameChangesNothing() async throws {
            window.present()
            let first = try animation(2, milliseconds: 20)
            view.image = first
            await pump { view.currentFrameIndex == 1 }
            view.stopAnimating()
            view.image = first
            #expect(view.currentFrameIndex == 1)
            view.autoplays = false
            let second = try animation(3, milliseconds: 20)
            view.image = second
            #expect(view.image === second)
            #expect(view.currentFrameIndex == 0)
            await pump(turns: 50)
            #expect(!view.isAnimating)
            #expect(view.currentFrame?.pixels === second.poster.pixels)
            // A still picture takes the place of the animation, and the other way round.
            view.imageView.show(try KuvaGTKTests.picture(width: 4, height: 4))
            #expect(view.image == nil)
            view.image = second
            #expect(view.imageView.image?.pixels === second.poster.pixels)
            view.image = nil
            #expect(view.imageView.image == nil)
        }

        @Test func endsWithItsWidget() async throws {
            window.present()
            view.image = try animation(2, milliseconds: 20)
            await pump { view.isAnimating }
            window.remove(view.imageView.widget)
            await pump(turns: 20)
            #expect(!view.isAnimating)
            #expect(view.image == nil)
        }

        @Test func ringGrowsToItsRate() async throws {
            let ring = CircularProgressView()
            window.add(ring.widget)
            window.present()
            ring.rate = 5
            ring.startAnimation()
            await pump { ring.progress.percent == 5 && !ring.progress.isRunning }
            #expect(ring.progress.label == "5%")
            ring.show(LoadProgress(receivedByteCount: 3, expectedByteCount: nil))
            #expect(ring.progress.amount == .indeterminate)
            ring.show(LoadProgress(receivedByteCount: 3, expectedByteCount: 4))
            #expect(ring.progress.label == "75%")
        }
    }
}
