import Foundation
import KuvaCore
import Testing

/// Each transformer beside what Pillow does, on noise, where differences show most.
@Suite("Transformers: Pillow", .enabled(if: Pillow.isAvailable))
struct PillowTransformTests {
    /// One transformer, the same in Python, and how far apart two bytes may be.
    struct Case: Sendable, CustomStringConvertible {
        let transformer: any ImageTransformer
        /// An expression of `p`, the picture as RGB, 61 by 47.
        let python: String
        let tolerance: Int
        /// Only pixels this near the middle are compared: further out, the two end pictures differently.
        var radius = Double.infinity

        var description: String { transformer.key }
    }

    private static func size(_ width: Int, _ height: Int) -> PixelSize { PixelSize(width: width, height: height) }

    private static let badge = Picture(random: 9, 7, seed: 5)

    private static let geometry: [Case] = [
        Case(
            transformer: .resize(size(30, 20), mode: .fill),
            python: "p.resize((30, 20), Image.LANCZOS)",
            tolerance: 1
        ),
        Case(
            transformer: .resize(size(150, 90), mode: .fill, allowsUpscaling: true),
            python: "p.resize((150, 90), Image.LANCZOS)",
            tolerance: 1
        ),
        // 47 / 61 of 24 is 18.49.
        Case(transformer: .thumbnail(24), python: "p.resize((24, 18), Image.LANCZOS)", tolerance: 1),
        Case(
            transformer: .crop(PixelRect(x: 7, y: 5, width: 30, height: 20)),
            python: "p.crop((7, 5, 37, 25))",
            tolerance: 0
        ),
        Case(transformer: .crop(size(11, 13), at: .bottomRight), python: "p.crop((50, 34, 61, 47))", tolerance: 0),
        Case(transformer: .flipHorizontally, python: "p.transpose(Image.FLIP_LEFT_RIGHT)", tolerance: 0),
        Case(transformer: .flipVertically, python: "p.transpose(Image.FLIP_TOP_BOTTOM)", tolerance: 0),
        Case(transformer: .rotate(degrees: 90), python: "p.transpose(Image.ROTATE_270)", tolerance: 0),
        Case(transformer: .rotate(degrees: 180), python: "p.transpose(Image.ROTATE_180)", tolerance: 0),
        Case(transformer: .rotate(degrees: 270), python: "p.transpose(Image.ROTATE_90)", tolerance: 0),
        Case(
            transformer: .rotate(degrees: 30, canvas: .keep),
            python: "p.rotate(-30, resample=Image.BILINEAR)",
            tolerance: 4,
            radius: 21
        ),
        Case(
            transformer: .chain([.crop(size(20, 10), at: .topLeft), .rotate(degrees: 90), .flipHorizontally]),
            python: "p.crop((0, 0, 20, 10)).transpose(Image.ROTATE_270).transpose(Image.FLIP_LEFT_RIGHT)",
            tolerance: 0
        ),
    ]

    private static let colours: [Case] = [
        Case(transformer: .greyscale, python: "matrix([.2126, .7152, .0722, 0] * 3)", tolerance: 1),
        Case(
            transformer: .sepia,
            python: "matrix([.393, .769, .189, 0, .349, .686, .168, 0, .272, .534, .131, 0])",
            tolerance: 1
        ),
        Case(transformer: .invert, python: "ImageOps.invert(p)", tolerance: 0),
        Case(transformer: .brightness(1.4), python: "ImageEnhance.Brightness(p).enhance(1.4)", tolerance: 1),
        Case(transformer: .brightness(0.3), python: "ImageEnhance.Brightness(p).enhance(0.3)", tolerance: 1),
        Case(
            transformer: .contrast(1.5),
            python: "p.point([round(max(0, min(255, (v - 127.5) * 1.5 + 127.5))) for v in range(256)] * 3)",
            tolerance: 1
        ),
        Case(
            transformer: .saturation(0.4),
            python: """
                matrix([.1278 + .4, .429, .0432, 0, .1278, .429 + .4, .0432, 0, .1278, .429, .0432 + .4, 0])
                """,
            tolerance: 1
        ),
        Case(
            transformer: .gamma(2.2),
            python: "p.point([round(255 * (v / 255) ** 2.2) for v in range(256)] * 3)",
            tolerance: 0
        ),
        Case(
            transformer: .tint(Color(red: 200, green: 100, blue: 50), mode: .multiply),
            python: "ImageChops.multiply(p, Image.new('RGB', p.size, (200, 100, 50)))",
            tolerance: 1
        ),
        Case(
            transformer: .tint(Color(red: 200, green: 100, blue: 50, alpha: 128)),
            python: "Image.blend(p, Image.new('RGB', p.size, (200, 100, 50)), 128 / 255)",
            tolerance: 1
        ),
        // Pillow's blur is three box blurs, which are up to 3 % of a step away from a Gaussian.
        Case(transformer: .blur(radius: 3), python: "p.filter(ImageFilter.GaussianBlur(3))", tolerance: 6, radius: 16),
    ]

    // The peer draws curves in steps of a 32nd of a pixel here, which is 8 of 255.
    private static let shapes: [Case] = [
        Case(
            transformer: .roundCorners(12),
            python: "cut(lambda d, n: d.rounded_rectangle((0, 0, 61 * n - 1, 47 * n - 1), 12 * n, fill=255))",
            tolerance: 8
        ),
        Case(
            transformer: .circle,
            python: "cut(lambda d, n: d.ellipse((7 * n, 0, 54 * n - 1, 47 * n - 1), fill=255)).crop((7, 0, 54, 47))",
            tolerance: 8
        ),
        Case(
            transformer: .border(width: 4, color: Color(red: 9, green: 8, blue: 7), placement: .outside),
            python: "ImageOps.expand(p, 4, (9, 8, 7))",
            tolerance: 0
        ),
        Case(
            transformer: .border(width: 4, color: Color(red: 9, green: 8, blue: 7)),
            python: "ImageOps.expand(p.crop((4, 4, 57, 43)), 4, (9, 8, 7))",
            tolerance: 0
        ),
    ]

    /// The input is the picture, then a badge of 9 by 7, straight.
    private static func script(_ expression: String) -> String {
        """
        import sys
        from PIL import Image, ImageChops, ImageDraw, ImageEnhance, ImageFilter, ImageOps
        data = open(sys.argv[1], "rb").read()
        n = 61 * 47 * 4
        p = Image.frombytes("RGBA", (61, 47), data[:n]).convert("RGB")
        b = Image.frombytes("RGBA", (9, 7), data[n:])
        def matrix(numbers): return p.convert("RGB", numbers)
        def cut(draw):
            mask = Image.new("L", (61 * 16, 47 * 16))
            draw(ImageDraw.Draw(mask), 16)
            r = p.convert("RGBA")
            r.putalpha(mask.resize(p.size, Image.BOX))
            return r
        def over(x, y):
            layer = Image.new("RGBA", p.size)
            layer.paste(b, (x, y))
            return Image.alpha_composite(p.convert("RGBA"), layer)
        def stack(pieces):
            r = Image.new("RGB", (20, 47 * len(pieces)))
            for i, piece in enumerate(pieces): r.paste(piece, (0, 47 * i))
            return r
        r = (\(expression)).convert("RGBA").convert("RGBa")
        open(sys.argv[2], "wb").write(r.size[0].to_bytes(4, "little") + r.tobytes())
        """
    }

    private static func overlays() throws -> [Case] {
        let image = try badge.premultiplied.image()
        return [
            Case(
                transformer: .overlay(image, name: "b", at: .topLeft, offset: (5, 6)),
                python: "over(5, 6)",
                tolerance: 1
            ),
            Case(transformer: .overlay(image, name: "b", at: .bottomRight), python: "over(52, 40)", tolerance: 1),
        ]
    }

    private func check(_ cases: [Case]) throws {
        let opaque = Picture(random: 61, 47, isOpaque: true)
        let input = Data(opaque.bytes + Self.badge.bytes)
        for one in cases {
            let output = try Pillow.run(Self.script(one.python), input: input)
            let width = output.prefix(4).enumerated().reduce(0) { $0 | Int($1.element) << (8 * $1.offset) }
            let bytes = Array(output.dropFirst(4))
            let oracle = Picture(width: width, height: bytes.count / 4 / width, bytes: bytes)
            let ours = try one.transformer.applied(to: opaque)
            try #require(ours.size == oracle.size, "\(one)")
            let middle = (Double(width) / 2 - 0.5, Double(oracle.size.height) / 2 - 0.5)
            var worst = 0
            for y in 0..<oracle.size.height {
                for x in 0..<width {
                    let (right, down) = (Double(x) - middle.0, Double(y) - middle.1)
                    guard right * right + down * down <= one.radius * one.radius else { continue }
                    for (a, b) in zip(ours[x, y], oracle[x, y]) { worst = max(worst, abs(Int(a) - Int(b))) }
                }
            }
            #expect(worst <= one.tolerance, "\(one) is \(worst) off")
        }
    }

    @Test func geometryIsThePeers() throws { try check(Self.geometry) }

    @Test func coloursAreThePeers() throws { try check(Self.colours) }

    @Test func shapesAreThePeersByArea() throws { try check(Self.shapes) }

    @Test func overlaysAreThePeers() throws { try check(Self.overlays()) }

    /// There is no second smart crop; but what it gives must be a piece of the picture as the peer cuts it, wherever.
    @Test func smartCropIsAPieceOfThePicture() throws {
        let opaque = Picture(random: 61, 47, isOpaque: true)
        let cut = try SmartCropTransformer(PixelSize(width: 20, height: 47)).applied(to: opaque)
        // A window may begin at each 128th of what it can move by.
        let pieces = """
            [p.resize((20, 47), Image.LANCZOS, (41 * i / 128, 0, 41 * i / 128 + 20, 47)) for i in range(129)]
            """
        let stack = "stack(\(pieces))"
        let output = try Pillow.run(Self.script(stack), input: Data(opaque.bytes + Self.badge.bytes)).dropFirst(4)
        let distances = (0...128).map { number in
            let bytes = Array(output.dropFirst(number * 20 * 47 * 4).prefix(20 * 47 * 4))
            let piece = Picture(width: 20, height: 47, bytes: bytes)
            // Pillow does not look at pixels beside the cut; the filter reaches three of them.
            return (0..<47).flatMap { y in (3..<17).map { (x: $0, y: y) } }.reduce(0) { worst, at in
                zip(cut[at.x, at.y], piece[at.x, at.y]).reduce(worst) { max($0, abs(Int($1.0) - Int($1.1))) }
            }
        }
        #expect((distances.min() ?? .max) <= 2)
    }
}
