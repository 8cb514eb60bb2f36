import KuvaCore
import KuvaTesting
import Testing

@Suite("Target size")
struct TargetSizeTests {
    private func size(_ pair: (Int, Int)) -> PixelSize { PixelSize(width: pair.0, height: pair.1) }

    private func output(
        _ source: (Int, Int),
        _ box: (Int, Int),
        _ mode: TargetSize.Mode,
        up: Bool = false
    ) -> PixelSize {
        TargetSize(size(box), mode: mode, allowsUpscaling: up).outputSize(for: size(source))
    }

    @Test func fitKeepsTheWholePictureInsideTheBox() {
        #expect(output((4000, 3000), (400, 400), .aspectFit) == size((400, 300)))
        #expect(output((3000, 4000), (400, 400), .aspectFit) == size((300, 400)))
        #expect(output((2725, 2225), (720, 720), .aspectFit) == size((720, 588)))  // 587.89
        #expect(output((1000, 333), (500, 500), .aspectFit) == size((500, 167)))  // 166.5, away from zero
        #expect(output((100, 50), (200, 200), .aspectFit) == size((100, 50)))
        #expect(output((100, 50), (200, 200), .aspectFit, up: true) == size((200, 100)))
        #expect(output((100, 50), (100, 50), .aspectFit) == size((100, 50)))
    }

    @Test func fillCoversTheBoxAndCutsNothing() {
        #expect(output((4000, 3000), (400, 400), .aspectFill) == size((533, 400)))  // 533.33
        #expect(output((3000, 4000), (400, 400), .aspectFill) == size((400, 533)))
        // Covering would need one side enlarged, so that the picture stays as it is.
        #expect(output((100, 50), (50, 80), .aspectFill) == size((100, 50)))
        #expect(output((100, 50), (50, 80), .aspectFill, up: true) == size((160, 80)))
    }

    @Test func exactIsTheBoxButForSidesThatWouldGrow() {
        #expect(output((4000, 3000), (10, 20), .exact) == size((10, 20)))
        #expect(output((15, 3000), (100, 20), .exact) == size((15, 20)))
        #expect(output((15, 30), (100, 200), .exact, up: true) == size((100, 200)))
    }

    @Test func noSideFallsBelowOne() {
        #expect(output((65_535, 1), (100, 100), .aspectFit) == size((100, 1)))
        #expect(output((1, 65_535), (100, 100), .aspectFit) == size((1, 100)))
        #expect(output((500, 500), (0, -4), .exact) == size((1, 1)))
        #expect(output((0, 10), (5, 5), .aspectFit) == size((0, 10)))
    }

    @Test func extremesDoNotOverflow() {
        let huge = Int.max
        #expect(output((1, 1), (huge, huge), .aspectFit, up: true) == size((Int(Int32.max), Int(Int32.max))))
        #expect(output((huge, huge), (7, 9), .aspectFit) == size((7, 7)))
        #expect(output((1, huge), (huge, huge), .aspectFill, up: true).width == Int(Int32.max))
    }

    @Test func limitingSideIsTheBoxAndTheOtherStaysWithin() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<5000 {
            let side = { Int.random(in: 1...5000, using: &generator) }
            let (source, box) = ((side(), side()), (side(), side()))
            let fit = output(source, box, .aspectFit, up: true)
            #expect(fit.width <= box.0 && fit.height <= box.1)
            #expect(fit.width == box.0 || fit.height == box.1)
            let fill = output(source, box, .aspectFill, up: true)
            #expect(fill.width >= box.0 && fill.height >= box.1)
            #expect(fill.width == box.0 || fill.height == box.1)
        }
    }

    @Test func textTellsAllThatChangesTheResult() {
        let box = size((300, 200))
        #expect(TargetSize(box).description == "fit300x200")
        #expect(TargetSize(box, mode: .aspectFill).description == "fill300x200")
        #expect(TargetSize(box, mode: .exact, allowsUpscaling: true).description == "exact300x200+up")
    }
}
