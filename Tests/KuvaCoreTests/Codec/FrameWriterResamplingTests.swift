import Foundation
import KuvaCore
import Testing

@Suite("Frame writer: resampling")
struct FrameWriterResamplingTests {
    static let cases: [(PixelSize, PixelSize)] =
        [
            (64, 48, 20, 15), (64, 48, 63, 47), (64, 48, 32, 24), (64, 48, 1, 1), (64, 48, 5, 48), (64, 48, 64, 5),
            (301, 203, 75, 51), (301, 203, 7, 190), (17, 13, 40, 31), (17, 13, 170, 2), (5, 4, 6, 5), (2, 2, 9, 9),
            (1, 1, 4, 3), (1, 100, 1, 7), (100, 1, 7, 1), (3000, 2, 3, 1), (2, 3000, 1, 3), (1, 5, 3, 9), (9, 9, 9, 8),
            (640, 40, 33, 11), (33, 7, 8, 7), (7, 33, 7, 8),
        ].map { (PixelSize(width: $0.0, height: $0.1), PixelSize(width: $0.2, height: $0.3)) }

    /// For each case: four 32-bit sizes and the straight RGBA pixels. Answers with Pillow's premultiply and LANCZOS.
    static let script = """
        import struct, sys
        from PIL import Image
        data = open(sys.argv[1], "rb").read()
        out = open(sys.argv[2], "wb")
        at = 0
        while at < len(data):
            w, h, ow, oh = struct.unpack_from("<4I", data, at)
            at += 16
            picture = Image.frombytes("RGBA", (w, h), data[at:at + w * h * 4]).convert("RGBa")
            at += w * h * 4
            out.write(picture.resize((ow, oh), Image.LANCZOS).tobytes())
        """

    private func pillow(_ pictures: [Picture], to sizes: [PixelSize]) throws -> [Picture] {
        var input = Data()
        for (picture, size) in zip(pictures, sizes) {
            for side in [picture.size.width, picture.size.height, size.width, size.height] {
                withUnsafeBytes(of: UInt32(side).littleEndian) { input.append(contentsOf: $0) }
            }
            input.append(contentsOf: picture.bytes)
        }
        var output = try Pillow.run(Self.script, input: input)[...]
        return sizes.map { size in
            let bytes = Array(output.prefix(size.width * size.height * 4))
            output = output.dropFirst(bytes.count)
            return Picture(width: size.width, height: size.height, bytes: bytes)
        }
    }

    @Test(.enabled(if: Pillow.isAvailable), arguments: [true, false])
    func equalsPillowLanczosWithinRounding(_ isOpaque: Bool) throws {
        let sizes = Self.cases.map(\.1)
        let pictures = Self.cases.map { Picture(random: $0.0.width, $0.0.height, isOpaque: isOpaque) }
        for ((picture, size), oracle) in zip(zip(pictures, sizes), try pillow(pictures, to: sizes)) {
            let written = try picture.written(as: .straight, to: size)
            // Pillow rounds between the passes, we do not; and it lets colour exceed alpha.
            let distance = written.picture.distance(to: oracle.clamped)
            #expect(distance <= 2, "\(picture.size) to \(size): \(distance)")
            if isOpaque { #expect(written.alpha == .opaque) }
        }
    }

    @Test(.enabled(if: Pillow.isAvailable))
    func missingRowsCountAsTransparent() throws {
        let picture = Picture(random: 50, 60, isOpaque: true)
        let size = PixelSize(width: 21, height: 25)
        let counts = [0, 1, 20, 59]
        let oracles = try pillow(counts.map(picture.keepingRows), to: counts.map { _ in size })
        for (count, oracle) in zip(counts, oracles) {
            let written = try picture.written(as: .straight, to: size, rows: count)
            #expect(written.picture.distance(to: oracle.clamped) <= 2)
            #expect(written.alpha == .premultiplied)
        }
    }

    @Test func oneColourStaysThatColourInEverySize() throws {
        for colour in [[255, 255, 255, 255], [0, 0, 0, 255], [1, 127, 254, 255], [3, 0, 60, 77]] as [[UInt8]] {
            for (source, target) in Self.cases {
                let count = source.width * source.height
                let bytes = Array(repeatElement(colour, count: count).joined())
                let picture = Picture(width: source.width, height: source.height, bytes: bytes)
                let written = try picture.written(as: .premultiplied, to: target).picture
                let expected = Array(repeatElement(colour, count: target.width * target.height).joined())
                #expect(written.bytes == expected, "\(source) to \(target)")
            }
        }
    }

    @Test func hugeShrinksWeighEveryRowTheSame() throws {
        // 60,000 weights share 65,536 units: rounding each alone would leave percents of the sum to a single row.
        var bytes: [UInt8] = []
        for row in 0..<60_000 { bytes += row % 2 == 0 ? [255, 0, 0, 255] : [0, 0, 0, 255] }
        let picture = Picture(width: 1, height: 60_000, bytes: bytes)
        let written = try picture.written(as: .opaque, to: PixelSize(width: 1, height: 3)).picture
        for y in 0..<3 { #expect((127...128).contains(written[0, y][0])) }
    }

    @Test func colourNeverExceedsAlpha() throws {
        let picture = Picture(random: 90, 70)
        for size in [(31, 22), (200, 150), (90, 20)] {
            let written = try picture.written(as: .straight, to: PixelSize(width: size.0, height: size.1)).picture
            #expect(written == written.clamped)
        }
    }
}
