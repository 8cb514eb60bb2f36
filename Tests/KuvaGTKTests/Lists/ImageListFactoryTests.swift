import CGTK
import KuvaCore
import KuvaGTK
import KuvaPipeline
import KuvaTesting
import Testing

extension WidgetTests {
    /// Real lists: what is loaded, when, and what is seen meanwhile.
    @MainActor
    @Suite("Lists")
    struct ImageListFactoryTests {
        private func key(_ row: Int) throws -> CacheKey {
            let side = Int(ListStage.rowHeight)
            let url = "http://pictures.test/\(row)"
            return CacheKey(original: url, variant: "fit\(side)x\(side)")
        }

        @Test func rowsInViewAreLoadedFirst() async throws {
            let list = try ListStage(rows: 1_000)
            await list.present()
            await pump { list.stage.loaded.count >= 4 }
            let inView = list.rowsInView.map(String.init)
            #expect(inView.count >= 3 && inView.count < 10)
            #expect(Set(list.stage.loaded.prefix(inView.count)) == Set(inView))
        }

        @Test func picturesInMemoryAreThereInTheFrameThatShowsTheirRows() async throws {
            let list = try ListStage(rows: 1_000)
            for row in 0..<1_000 {
                list.stage.memory.store(try picture(width: 100, height: 100), for: try key(row))
            }
            var (frames, empty) = (0, 0)
            list.stage.window.onPaint {
                frames += 1
                for row in list.rowsInView where list.factory.cells[row]?.imageView.image == nil { empty += 1 }
            }
            await list.present()
            for row in stride(from: 0, to: 900, by: 37) {
                list.scroll(to: row)
                await list.stage.window.drawFrame()
                #expect(list.rowsInView.count >= 3)
            }
            #expect(frames >= 25)
            #expect(empty == 0)
            #expect(list.stage.loader.loads.isEmpty)
        }

        @Test func cellsThatListenKnowWhichRowsTheyShow() async throws {
            let list = try ListStage(rows: 1_000, listen: true)
            await list.present()
            for row in [0, 100, 500, 10] {
                list.scroll(to: row)
                await list.stage.window.drawFrame()
                #expect(list.heardRows.count >= 3)
                #expect(list.heardRows.allSatisfy { $0.row == $0.heard })
            }
        }

        @Test func rowsThatFlyPastAreNeverLoaded() async throws {
            let list = try ListStage(rows: 10_000)
            await list.present()
            await pump { list.stage.loaded.contains("0") }
            // Each frame shows rows of which the frame before had none.
            var stops = Array(stride(from: 1_000, through: 8_000, by: 1_000))
            list.stage.window.onPaint { if !stops.isEmpty { list.scroll(to: stops.removeFirst()) } }
            await list.stage.window.drawFrame()
            await pump { list.stage.loaded.contains { (Int($0) ?? 0) > 7_500 } }
            let passed = list.stage.loaded.compactMap { Int($0) }.filter { $0 > 500 && $0 < 7_500 }
            #expect(passed == [])
        }

        @Test func cellThatServesAnotherRowShowsOnlyThatOnesPicture() async throws {
            let list = try ListStage(rows: 1_000)
            await list.present()
            await list.stage.succeed("1", width: 100, height: 100)
            await pump { list.factory.cells[1]?.imageView.image != nil }
            // In steps within which GTK has cells.
            for row in stride(from: 100, through: 600, by: 100) {
                list.scroll(to: row)
                await list.stage.window.drawFrame()
            }
            await pump { list.rowsInView.contains { $0 > 500 } }
            #expect(list.factory.cells[1] == nil)
            let inView = list.rowsInView.filter { $0 > 500 }
            for row in inView { #expect(list.factory.cells[row]?.imageView.image == nil) }
            let row = try #require(inView.first)
            await list.stage.succeed("\(row)", width: 50, height: 100)
            await pump { list.factory.cells[row]?.imageView.image != nil }
            #expect(list.factory.cells[row]?.imageView.image?.pixelSize.width == 50)
            // One ending for each row that was answered, none for those that were let go.
            let ended = list.ends.map { $0.row }
            #expect(ended == [1, row])
            let picturesOnly = list.ends.allSatisfy { $0.isPicture }
            #expect(picturesOnly)
        }

        @Test func pictureThatComesLaysNothingOut() async throws {
            let list = try ListStage(rows: 100)
            await list.present()
            await pump { list.stage.loaded.contains("0") }
            await list.stage.window.drawFrame()
            let cell = try #require(list.factory.cells[0])
            var natural: (before: Int32, after: Int32) = (0, 0)
            gtk_widget_measure(asWidget(cell.widget), GTK_ORIENTATION_HORIZONTAL, -1, nil, &natural.before, nil, nil)
            await list.stage.succeed("0", width: 400, height: 20)
            await pump { cell.imageView.image != nil }
            gtk_widget_measure(asWidget(cell.widget), GTK_ORIENTATION_HORIZONTAL, -1, nil, &natural.after, nil, nil)
            #expect(natural.before == ListStage.rowHeight)
            #expect(natural.after == ListStage.rowHeight)
        }

        @Test func reloadAsksAgain() async throws {
            let list = try ListStage(rows: 3)
            await list.present()
            await pump { list.stage.loaded.count == 3 }
            await list.stage.succeed("1", width: 10, height: 10)
            await pump { list.ends.count == 1 }
            list.factory.reloads = true
            list.factory.reload(1)
            await pump { list.stage.loaded.filter { $0 == "1" }.count == 2 }
            #expect(list.stage.loaded.count == 4)
        }
    }
}
