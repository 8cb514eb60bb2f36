import CGTK
import FoundationEssentials
import KuvaCore
import KuvaGTK
import KuvaPipeline
import KuvaTesting
import Testing

extension WidgetTests {
    /// Cells that get one picture after another while answers come late and in any order.
    @MainActor
    @Suite("Cell storm")
    struct CellStormTests {
        private struct Cell {
            let view: ImageView
            /// The number of the URL that the cell should show; `nil` for none.
            var wanted: Int?
            var bindCount = 0
            var completionCount = 0
        }

        @Test func neverAWrongPictureAndEachCompletionOnce() async throws {
            let (cellCount, urlCount) = (200, 5_000)
            let loader = FakeLoader()
            let manager = ImageManager(
                configuration: .init(memoryCache: FakeImageCache(), loaders: [loader], decoders: FakeDecoders())
            )
            let box = try #require(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            let host = g_object_ref_sink(UnsafeMutableRawPointer(box))
            var random = SeededGenerator(seed: 8)
            final class Storm { var cells: [Cell] = [] }
            let storm = Storm()
            for _ in 0..<cellCount {
                let view = ImageView(manager: manager)
                gtk_widget_set_size_request(asWidget(view.widget), 10_000, 10_000)
                gtk_box_append(UnsafeMutableRawPointer(box).assumingMemoryBound(to: GtkBox.self), asWidget(view.widget))
                storm.cells.append(Cell(view: view))
            }
            // Each picture is as wide as its number and one, so a wrong one tells.
            func answer() {
                let open = loader.loads.filter { !$0.isFinished }
                for load in open.shuffled(using: &random).prefix(open.count / 2 + 1) {
                    let number = Int(load.request.url.lastPathComponent) ?? 0
                    switch Int.random(in: 0..<10, using: &random) {
                    case 0: loader.fail(load.id, with: ImageError(.timedOut, "too slow"))
                    case 1: loader.progress(load.id, received: 1, expected: 2)
                    default: loader.succeed(load.id, with: FakeDecoders.file(width: number + 1, height: 1))
                    }
                }
            }
            func check() {
                for cell in storm.cells {
                    guard let shown = cell.view.image else { continue }
                    #expect(cell.wanted.map { $0 + 1 } == shown.pixelSize.width)
                }
            }
            for round in 0..<(urlCount / 50) {
                for step in 0..<50 {
                    let index = Int.random(in: 0..<cellCount, using: &random)
                    let number = round * 50 + step
                    let url = try #require(URL(string: "http://pictures.test/\(number)"))
                    storm.cells[index].wanted = number
                    storm.cells[index].bindCount += 1
                    storm.cells[index].view.setImage(from: url) { _ in storm.cells[index].completionCount += 1 }
                    if step % 10 == 9 {
                        let other = Int.random(in: 0..<cellCount, using: &random)
                        storm.cells[other].view.cancelLoad()
                    }
                }
                answer()
                await pump(turns: 2)
                check()
            }
            while loader.loads.contains(where: { !$0.isFinished }), !Task.isCancelled {
                answer()
                await pump(turns: 2)
            }
            await pump { !storm.cells.contains { $0.view.isLoading } }
            await pump(turns: 20)
            check()
            #expect(storm.cells.map(\.completionCount) == storm.cells.map(\.bindCount))
            #expect(storm.cells.map(\.bindCount).reduce(0, +) == urlCount)
            #expect(manager.runningTaskCount == 0)
            for cell in storm.cells { cell.view.show(nil) }
            g_object_unref(host)
            #expect(!storm.cells.contains { $0.view.isAlive })
        }

        @Test func widgetsAndTexturesLeaveNothingBehind() async throws {
            let manager = ImageManager(configuration: .init(loaders: [FakeLoader()], decoders: FakeDecoders()))
            let window = try TestWindow()
            window.present()
            final class Counter { var count = 0 }
            let alive = Counter()
            var pixels: [() -> PixelBuffer?] = []
            let before = TextureCount.current
            for round in 0..<50 {
                let view = ImageView(manager: manager)
                view.showsIndicator = true
                view.enabledActions = .all
                view.highlightsOn = [.hover, .press]
                alive.count += 1
                g_object_weak_ref(
                    view.picture.assumingMemoryBound(to: GObject.self),
                    { data, _ in
                        guard let data else { return }
                        // Unsafe: widgets end on the main thread.
                        nonisolated(unsafe) let pointer = data
                        MainActor.assumeIsolated {
                            Unmanaged<Counter>.fromOpaque(pointer).takeUnretainedValue().count -= 1
                        }
                    },
                    Unmanaged.passUnretained(alive).toOpaque()
                )
                window.add(view.widget)
                let image = try picture(width: 100 + round, height: 80)
                pixels.append { [weak buffer = image.pixels] in buffer }
                view.show(image)
                await pump(turns: 1)
                window.remove(view.widget)
            }
            await pump { alive.count == 0 }
            await pump { pixels.allSatisfy { $0() == nil } }
            #expect(TextureCount.current == before)
        }
    }
}
