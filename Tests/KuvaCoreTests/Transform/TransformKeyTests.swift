import KuvaCore
import Testing

@Suite("Transformers: keys")
struct TransformKeyTests {
    private static func all() throws -> [(any ImageTransformer, String)] {
        let size = PixelSize(width: 300, height: 200)
        let badge = try Picture(1, 1, of: [0, 0, 0, 0]).image()
        let red = Color(rgb: 0xFF_0000)
        return [
            (.resize(size), "resize(300x200,fill)"),
            (.resize(size, allowsUpscaling: true), "resize(300x200,fill,up)"),
            (.resize(size, mode: .aspectFit), "resize(300x200,aspect-fit)"),
            (.resize(size, mode: .aspectFitPadded), "resize(300x200,aspect-fit-padded)"),
            (.resize(size, mode: .aspectFill), "resize(300x200,aspect-fill)"),
            (.thumbnail(64), "resize(64x64,aspect-fit)"),
            (.crop(PixelRect(x: 10, y: -2, width: 3, height: 4)), "crop(3x4+10-2)"),
            (.crop(size, at: .topLeft), "crop(300x200,top-left)"),
            (.crop(size), "crop(300x200,center)"),
            (.smartCrop(size), "smart-crop(300x200)"),
            (.flipHorizontally, "flip(h)"),
            (.flipVertically, "flip(v)"),
            (.rotate(degrees: 45), "rotate(45)"),
            (.rotate(degrees: -45), "rotate(315)"),
            (.rotate(degrees: 0.125, canvas: .keep), "rotate(0.125,keep)"),
            (.roundCorners(12), "round-corners(12)"),
            (.roundCorners(12.5, border: BorderStyle(width: 2, color: .white)), "round-corners(12.5,border=2:#ffffff)"),
            (.roundCorners(CornerRadii(topLeft: 12, bottomLeft: 1)), "round-corners(12/0/0/1)"),
            (.circle, "circle"),
            (.circle(border: BorderStyle(width: 1, color: red.opacity(0.5))), "circle(border=1:#ff000080)"),
            (.border(width: 4, color: red), "border(4:#ff0000)"),
            (.border(width: 4, color: red, placement: .outside), "border(4:#ff0000,outside)"),
            (.tint(red), "tint(#ff0000,source-atop)"),
            (.tint(red, mode: .colorDodge), "tint(#ff0000,color-dodge)"),
            (.tint(red.opacity(0)), "tint(#ff000000,source-atop)"),
            (.blur(radius: 0.1 + 0.2), "blur(0.3)"),
            (.blur(radius: 25), "blur(25)"),
            (.greyscale, "greyscale(1)"),
            (.sepia, "sepia(1)"),
            (.filter(.sepia(0.5)), "sepia(0.5)"),
            (.invert, "invert(1)"),
            (.brightness(1.25), "brightness(1.25)"),
            (.contrast(1.25), "contrast(1.25)"),
            (.saturation(1.25), "saturation(1.25)"),
            (.gamma(2.2), "gamma(2.2)"),
            (.overlay(badge, name: "a,b)"), "overlay(a%2Cb%29,center,+0+0)"),
            (
                .overlay(badge, name: "é", at: .right, offset: (-1, 2), opacity: 0.5, order: .under),
                "overlay(%C3%A9,right,-1+2,0.5,under)"
            ),
            (.custom("mine 2") { image, _ in image }, "custom(mine%202)"),
            (.chain([.circle, .invert]), "circle invert(1)"),
            (.chain([]), "none"),
        ]
    }

    @Test func keysAreTheseTextsAndAllDiffer() throws {
        let all = try Self.all()
        for (transformer, key) in all { #expect(transformer.key == key) }
        #expect(Set(all.map(\.1)).count == all.count)
    }

    @Test func numbersThatLookTheSameAreTheSame() {
        #expect(BlurTransformer(radius: 1.0 / 3) == BlurTransformer(radius: 0.333))
        #expect(BlurTransformer(radius: 1.0 / 3).key == "blur(0.333)")
        #expect(BlurTransformer(radius: 0.1 * 3) == BlurTransformer(radius: 0.3))
        #expect(BlurTransformer(radius: 1e-9).key == "blur(0)" && BlurTransformer(radius: -0.0).key == "blur(0)")
        #expect(BlurTransformer(radius: 10.05).key == "blur(10.05)" && BlurTransformer(radius: 100).key == "blur(100)")
        #expect(RotateTransformer(degrees: 360 + 90) == RotateTransformer(degrees: -270))
        #expect(RotateTransformer(degrees: -0.0001).key == "rotate(0)")
        #expect(RotateTransformer(degrees: 359.9999).key == "rotate(0)")
        // What is not a number has a key as well; it fails when it is used.
        #expect(BlurTransformer(radius: .nan).key == "blur(nan)")
    }
}
