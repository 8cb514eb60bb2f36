import Foundation
import KuvaCore
import Testing

@testable import KuvaCodecs

/// Opaque pictures that libwebp makes smaller on the way, held against the whole picture made small by Lanczos filters.
@Suite("WebP scaling", .enabled(if: Tool.hasWebP && Tool.python != nil))
struct WebPScalingTests {
    private static let box = PixelSize(width: 400, height: 400)

    private func decode(_ file: Data, _ quality: ScalingQuality, pieceSize: Int = .max) throws -> Pixels {
        let options = DecodeOptions(targetSize: TargetSize(Self.box), scalingQuality: quality)
        return try Decoding(file, pieceSize: pieceSize, options: options).pixels
    }

    /// The bounds are those that JPEGs keep.
    @Test(.enabled(if: Corpus.isPresent)) func nearness() throws {
        var (standard, best) = ([Double](), [Double]())
        for (index, entry) in JPEGScalingTests.photographs.enumerated() where index % 3 == 0 {
            let ppm = try Tool.run("djpeg", "-outfile", "@out", "@in", input: entry.data)
            let coding = index % 2 == 0 ? ["-q", "90"] : ["-lossless", "-z", "0"]
            let options = ["-quiet", "-m", "0"] + coding + ["-o", "@out", "--", "@in"]
            let file = try Tool.run("cwebp", options: options, input: ppm)
            let small = try decode(file, .standard)
            let reference = try JPEGScalingTests.reference(file, PixelSize(width: small.width, height: small.height))
            standard.append(JPEGScalingTests.decibels(small, reference))
            best.append(JPEGScalingTests.decibels(try decode(file, .best), reference))
        }
        #expect(standard.count >= 5)
        let sorted = standard.sorted()
        #expect(sorted[0] >= 38, "\(standard)")
        #expect(sorted[sorted.count / 2] >= 45, "\(standard)")
        #expect(best.allSatisfy { $0 >= 48 }, "\(best)")
    }

    /// In pieces, cut off, and turned: what is decoded smaller behaves as what is decoded whole.
    @Test(arguments: [[], ["-lossless", "-z", "1"]]) func piecesAndTurns(coding: [String]) throws {
        let picture = Pixels.sample(width: 1300, height: 1100)
        let file = try Tool.run(
            "cwebp",
            options: ["-quiet"] + coding + ["-o", "@out", "--", "@in"],
            input: picture.ppm
        )
        let whole = try decode(file, .standard)
        #expect(whole.width == 400 && whole.height == 338)
        let isEqual = try decode(file, .standard, pieceSize: 5000) == whole
        #expect(isEqual)

        let options = DecodeOptions(targetSize: TargetSize(Self.box))
        let part = try Decoding(file.prefix(file.count * 2 / 3), options: options)
        #expect(part.frame.damage?.code == .truncatedImage)
        let rows = (0..<338).first { part.pixels.rows($0..<$0 + 1) != whole.rows($0..<$0 + 1) } ?? 338
        #expect((100..<338).contains(rows))
        #expect(part.pixels.isClear(from: rows + 8))

        let block: [UInt8] = [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]
        let exif = FileManager.default.temporaryDirectory.appendingPathComponent("kuva-exif-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: exif) }
        try Data(block).write(to: exif)
        let turned = try Tool.run("webpmux", "-set", "exif", exif.path, "@in", "-o", "@out", input: file)
        let shown = try decode(turned, .standard)
        #expect(shown.width == 338 && shown.height == 400)
        #expect(JPEGScalingTests.decibels(shown.stored(as: .right), whole) > 50)
    }
}
