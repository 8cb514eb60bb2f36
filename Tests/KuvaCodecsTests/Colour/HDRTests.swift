import Foundation
import KuvaCore
import Testing

@testable import KuvaCodecs

/// Pictures of high dynamic range against the formulas of ITU-R BT.2100, BT.2390 and BT.2408, as a script of its own
/// evaluates them.
@Suite("High dynamic range", .enabled(if: Tool.python != nil))
struct HDRTests {
    /// What the standards make of the pixels of a file, given as numbers of 8 bits.
    private static let formulas = """
        import sys, json, math
        M1, M2 = 0.1593017578125, 78.84375
        C1, C2, C3 = 0.8359375, 18.8515625, 18.6875
        def pq_eotf(e): return 10000 * (max(e ** (1 / M2) - C1, 0) / (C2 - C3 * e ** (1 / M2))) ** (1 / M1)
        def pq_inverse(y): return ((C1 + C2 * (y / 10000) ** M1) / (1 + C3 * (y / 10000) ** M1)) ** M2
        A, B, C = 0.17883277, 0.28466892, 0.55991073
        def hlg_inverse_oetf(e): return e * e / 3 if e <= 0.5 else (math.exp((e - C) / A) + B) / 12
        # BT.2390: from 0...1000 to 0...203 cd/m2.
        def eetf(y):
            top = pq_inverse(1000); e1 = min(1, pq_inverse(y) / top); most = pq_inverse(203) / top
            ks = 1.5 * most - 0.5
            if e1 < ks: return y
            t = (e1 - ks) / (1 - ks)
            p = (2*t**3 - 3*t**2 + 1) * ks + (t**3 - 2*t**2 + t) * (1 - ks) + (-2*t**3 + 3*t**2) * most
            return pq_eotf(p * top)
        # BT.2020 to BT.709 (ITU-R BT.2087-0); of P3 with D65 by the inverse of the primaries' matrix.
        M = {9: [[1.6605, -0.5876, -0.0728], [-0.1246, 1.1329, -0.0083], [-0.0182, -0.1006, 1.1187]],
             12: [[1.2249, -0.2247, 0], [-0.0420, 1.0419, 0], [-0.0197, -0.0786, 1.0979]],
             1: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}
        W = {9: [0.2627, 0.6780, 0.0593], 12: [0.2290, 0.6917, 0.0793], 1: [0.2126, 0.7152, 0.0722]}
        def srgb(v):
            v = min(1, max(0, v))
            return 255 * (12.92 * v if v <= 0.0031308 else 1.055 * v ** (1 / 2.4) - 0.055)
        def shown(pixel, primaries, transfer):
            e = [v / 255 for v in pixel]
            if transfer == 16: light = [pq_eotf(v) for v in e]
            else:
                scene = [hlg_inverse_oetf(v) for v in e]
                y = sum(a * b for a, b in zip(W[primaries], scene))
                light = [1000 * y ** 0.2 * v if y else 0 for v in scene]
            top = max(light)
            factor = eetf(top) / top / 203 if top else 0
            light = [v * factor for v in light]
            return [srgb(sum(a * b for a, b in zip(row, light))) for row in M[primaries]]
        """

    /// Greys, primaries and mixtures, in one row.
    private static let pixels: [[UInt8]] = {
        var pixels: [[UInt8]] = stride(from: 0, through: 255, by: 5).map { grey -> [UInt8] in
            [UInt8(grey), UInt8(grey), UInt8(grey)]
        }
        let levels: [UInt8] = [0, 60, 120, 150, 190, 255]
        for red in levels { for green in levels { for blue in levels { pixels.append([red, green, blue]) } } }
        return pixels
    }()

    private static var opaque: [UInt8] { pixels.flatMap { (pixel: [UInt8]) -> [UInt8] in pixel + [255] } }

    private func expected(_ pixels: [[UInt8]], _ primaries: Int, _ transfer: Int) throws -> [[Double]] {
        let script =
            Self.formulas
            + "\nprint(json.dumps([shown(p, \(primaries), \(transfer)) for p in json.loads(sys.argv[1])]))"
        let text = String(decoding: try JSONEncoder().encode(pixels.map { $0.map(Int.init) }), as: UTF8.self)
        let answer = try Tool.run(#require(Tool.python), "-c", script, text)
        return try JSONDecoder().decode([[Double]].self, from: answer)
    }

    private func png(_ pixels: [[UInt8]], codePoints: [Int]) throws -> Data {
        let script = """
            import sys, zlib, struct, json
            def chunk(t, b): return struct.pack('>I', len(b)) + t + b + struct.pack('>I', zlib.crc32(t + b))
            row = bytes(v for p in json.loads(sys.argv[1]) for v in p)
            out = b'\\x89PNG\\r\\n\\x1a\\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', len(row) // 3, 1, 8, 2, 0, 0, 0))
            out += chunk(b'cICP', bytes(json.loads(sys.argv[2]))) + chunk(b'IDAT', zlib.compress(b'\\0' + row))
            sys.stdout.buffer.write(out + chunk(b'IEND', b''))
            """
        let text = String(decoding: try JSONEncoder().encode(pixels.map { $0.map(Int.init) }), as: UTF8.self)
        return try Tool.run(#require(Tool.python), "-c", script, text, "\(codePoints)")
    }

    private func worst(_ shown: Pixels, _ expected: [[Double]]) -> Double {
        var worst = 0.0
        for (index, colour) in expected.enumerated() {
            for channel in 0..<3 {
                worst = max(worst, abs(Double(shown.bytes[index * 4 + channel]) - colour[channel]))
            }
        }
        return worst
    }

    @Test(arguments: [9, 12, 1], [16, 18]) func isAsTheStandardsSay(primaries: Int, transfer: Int) throws {
        let file = try png(Self.pixels, codePoints: [primaries, transfer, 0, 1])
        let decoded = try CodecRegistry.builtIn.decode(file).image.pixels
        #expect(decoded.layout.colorSpace == .sRGB)
        let expected = try expected(Self.pixels, primaries, transfer)
        // Half a level is rounding; the matrices of the standards have four digits.
        let worst = worst(Pixels(decoded), expected)
        #expect(worst < 1.1, "\(worst)")
    }

    /// By hand: 1,000 cd/m² (192 of 255) and more become 203, which is white. PQ's 148 is 202.4 cd/m², which the curve
    /// presses to 158.8, 0.7825 of white, which is 228.9 in sRGB.
    @Test func whiteIsWhite() throws {
        let file = try png(
            [[192, 192, 192], [255, 255, 255], [148, 148, 148], [0, 0, 0]],
            codePoints: [9, 16, 0, 1]
        )
        let shown = Pixels(try CodecRegistry.builtIn.decode(file).image.pixels)
        #expect(shown[0, 0] == [255, 255, 255, 255])
        #expect(shown[1, 0] == [255, 255, 255, 255])
        #expect(abs(Int(shown[2, 0][0]) - 229) <= 1)
        #expect(shown[3, 0] == [0, 0, 0, 255])
    }

    @Test func storedPixelsStay() throws {
        let file = try png(Self.pixels, codePoints: [9, 16, 0, 1])
        let stored = Pixels(
            try CodecRegistry.builtIn.decode(file, options: DecodeOptions(pixels: .stored)).image.pixels
        )
        let isEqual = stored.bytes == Self.opaque
        #expect(isEqual)
    }

    /// The numbers of an AVIF (`nclx`) count as those of a PNG.
    @Test(.enabled(if: Tool.isPresent("avifenc")), arguments: [16, 18]) func avif(transfer: Int) throws {
        let decoded = try CodecRegistry.builtIn.decode(losslessAVIF(transfer: transfer)).image.pixels
        #expect(decoded.layout.colorSpace == .sRGB)
        let worst = worst(Pixels(decoded), try expected(Self.pixels, 9, transfer))
        #expect(worst < 1.1, "\(worst)")
    }

    private func losslessAVIF(transfer: Int) throws -> Data {
        let ppm = Pixels(width: Self.pixels.count, height: 1, bytes: Self.opaque).ppm
        let script = "import sys; from PIL import Image; Image.open(sys.argv[1]).save(sys.argv[2], 'PNG')"
        let png = try Tool.run(#require(Tool.python), "-c", script, "@in", "@out", input: ppm)
        let options = ["--lossless", "--cicp", "9/\(transfer)/0", "-s", "10", "@in.png", "@out.avif"]
        return try Tool.run("avifenc", options: options, input: png)
    }

    #if HEIF
        /// And so do those of a HEIF. What avifenc wrote becomes one, with a picture in AV1, by its brands.
        @Test(.enabled(if: Tool.isPresent("avifenc")), arguments: [16, 18]) func heif(transfer: Int) throws {
            var file = try losslessAVIF(transfer: transfer)
            let boxEnd = file.startIndex + file.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            while let brand = file[..<boxEnd].firstRange(of: Data("avif".utf8)) {
                file.replaceSubrange(brand, with: Data("mif1".utf8))
            }
            let decoded = try CodecRegistry.builtIn.decode(file)
            #expect(decoded.info.format == .heif)
            #expect(decoded.image.pixels.layout.colorSpace == .sRGB)
            let worst = worst(Pixels(decoded.image.pixels), try expected(Self.pixels, 9, transfer))
            #expect(worst < 1.1, "\(worst)")
        }
    #endif

    #if JPEGXL
        /// And so do those of a JPEG XL.
        @Test(.enabled(if: Tool.isPresent("cjxl")), arguments: [(16, "PeQ"), (18, "HLG")])
        func jpegXL(transfer: Int, name: String) throws {
            let ppm = Pixels(width: Self.pixels.count, height: 1, bytes: Self.opaque).ppm
            let space = "color_space=RGB_D65_202_Rel_\(name)"
            let file = try Tool.run("cjxl", "-d", "0", "-x", space, "@in.ppm", "@out.jxl", input: ppm)
            let decoded = try CodecRegistry.builtIn.decode(file).image.pixels
            #expect(decoded.layout.colorSpace == .sRGB)
            let worst = worst(Pixels(decoded), try expected(Self.pixels, 9, transfer))
            #expect(worst < 1.1, "\(worst)")
        }
    #endif

    /// Files of others that have PQ pixels: shown as sRGB, none of them black or blown out.
    @Test(.enabled(if: Corpus.isPresent)) func corpus() throws {
        let names = ["png/image-png__cicp_pq.png", "avif/sd__TestHDR.avif", "avif/libavif__colors_hdr_p3.avif"]
        for entry in Corpus.entries("formats") where names.contains(where: { entry.path.hasSuffix($0) }) {
            let decoded = try CodecRegistry.builtIn.decode(entry.data)
            #expect(decoded.image.pixels.layout.colorSpace == .sRGB, "\(entry.path)")
            let shown = Pixels(decoded.image.pixels)
            let mean = shown.bytes.enumerated().reduce(0) { $0 + ($1.offset % 4 == 3 ? 0 : Int($1.element)) }
            #expect((20...235).contains(mean / (shown.width * shown.height * 3)), "\(entry.path)")
        }
    }
}
