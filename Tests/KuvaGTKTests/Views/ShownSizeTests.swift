import KuvaCore
import KuvaGTK
import Testing

@Suite("Size shown")
struct ShownSizeTests {
    let screen = PixelSize(width: 1_920, height: 1_080)

    private func size(_ width: Int, _ height: Int, _ fit: ContentFit = .contain) -> ShownSize {
        ShownSize(width: width, height: height, fit: fit, screen: screen)
    }

    @Test func fitDecidesHowMuchIsDecoded() {
        let box = PixelSize(width: 300, height: 200)
        #expect(size(300, 200, .contain).target == TargetSize(box, mode: .aspectFit))
        #expect(size(300, 200, .scaleDown).target == TargetSize(box, mode: .aspectFit))
        #expect(size(300, 200, .cover).target == TargetSize(box, mode: .aspectFill))
        #expect(size(300, 200, .fill).target == TargetSize(box, mode: .aspectFill))
    }

    @Test func sideThatFollowsThePictureIsBoundedByTheScreen() {
        #expect(size(0, 0, .cover).target == TargetSize(screen, mode: .aspectFit))
        #expect(size(300, 0).target == TargetSize(PixelSize(width: 300, height: 1_080), mode: .aspectFit))
    }

    @Test func growthOfMoreThanAnEighthCounts() {
        // A square of 160 in a box of 160: in one of 180 it is shown an eighth larger, in one of 181 more.
        let before = size(160, 160).target
        let pixels = PixelSize(width: 160, height: 160)
        #expect(!size(160, 160).outgrows(pixels, decodedFor: before))
        #expect(!size(180, 180).outgrows(pixels, decodedFor: before))
        #expect(size(181, 181).outgrows(pixels, decodedFor: before))
        #expect(!size(80, 80).outgrows(pixels, decodedFor: before))
    }

    @Test func sideThatDoesNotLimitThePictureDoesNotCount() {
        // 3:2 in a square of 300 is 300 × 200, however high the box gets.
        let pixels = PixelSize(width: 300, height: 200)
        #expect(!size(300, 900).outgrows(pixels, decodedFor: size(300, 300).target))
        // Covering the higher box takes 1350 × 900.
        #expect(size(300, 900, .cover).outgrows(pixels, decodedFor: size(300, 200, .cover).target))
    }

    @Test func pictureThatIsSmallInItsFileNeverGrows() {
        let pixels = PixelSize(width: 40, height: 30)
        #expect(!size(900, 900).outgrows(pixels, decodedFor: size(100, 100).target))
        // It covers one side only: its file has no more.
        let flat = PixelSize(width: 400, height: 30)
        #expect(!size(900, 900, .cover).outgrows(flat, decodedFor: size(100, 100, .cover).target))
    }

    @Test func changeOfFitCounts() {
        let pixels = PixelSize(width: 300, height: 200)
        #expect(size(300, 300, .cover).outgrows(pixels, decodedFor: size(300, 300, .contain).target))
        #expect(!size(300, 300, .contain).outgrows(pixels, decodedFor: size(300, 200, .cover).target))
    }
}
