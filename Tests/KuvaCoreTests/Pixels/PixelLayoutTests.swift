import KuvaCore
import Testing

@Suite("Pixel sizes, layouts and canvases")
struct PixelLayoutTests {
    @Test func rowsArePackedTightly() throws {
        let layout = try PixelLayout(size: PixelSize(width: 3, height: 5))
        #expect(layout.bytesPerRow == 12)
        #expect(layout.byteCount == 60)
    }

    @Test(arguments: [(0, 1), (1, 0), (-1, 1), (Int.max, 1), (1 << 40, 1 << 40), (1, Int.max)])
    func sizesThatCannotBeHeldAreErrors(_ width: Int, _ height: Int) {
        do {
            _ = try PixelLayout(size: PixelSize(width: width, height: height))
            Issue.record("\(width)x\(height) was accepted")
        } catch {
            #expect(error.code == .limitExceeded)
        }
    }

    @Test func pixelCountIsNilWhereItDoesNotFit() {
        #expect(PixelSize(width: 3, height: 4).pixelCount == 12)
        #expect(PixelSize(width: 0, height: 4).pixelCount == 0)
        #expect(PixelSize(width: -3, height: -4).pixelCount == nil)
        #expect(PixelSize(width: 1 << 32, height: 1 << 31).pixelCount == nil)
    }

    @Test func clearingTakesTheRowsThatAreThere() throws {
        var canvas = try PixelBufferPool().canvas(PixelLayout(size: PixelSize(width: 1, height: 4)))
        canvas.withUnsafeMutableBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: 9) }
        canvas.clear(rows: -5..<1)
        canvas.clear(rows: 3..<99)
        canvas.clear(rows: 2..<2)
        canvas.clear(rows: 50..<60)
        let buffer = canvas.freeze(alpha: .straight)
        #expect(buffer.layout.alpha == .straight)
        #expect((0..<4).map { buffer.rgba(x: 0, y: $0)?.red } == [0, 9, 9, 0])
        #expect(buffer.rgba(x: 1, y: 0) == nil)
        #expect(buffer.rgba(x: 0, y: -1) == nil)
    }

    @Test func pictureCountsInPoints() throws {
        let pixels = try PixelBufferPool().canvas(PixelLayout(size: PixelSize(width: 30, height: 20))).freeze()
        let image = Image(pixels: pixels, scale: 2, format: .png)
        #expect((image.width, image.height) == (15, 10))
        #expect(image.cost >= 30 * 20 * 4)
        for scale in [0, -1, .nan, .infinity] { #expect(Image(pixels: pixels, scale: scale).scale == 1) }
        #expect(Image(pixels: pixels, frameCount: -1).frameCount == 1)
    }
}
