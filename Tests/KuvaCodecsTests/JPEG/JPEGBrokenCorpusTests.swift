import Foundation
import KuvaCodecs
import KuvaCore
import Testing

@Suite("Broken JPEGs of the corpus", .enabled(if: Corpus.isPresent))
struct JPEGBrokenCorpusTests {
    @Test(arguments: Corpus.entries("broken", format: "jpeg"))
    func endsAsPeersDo(entry: Corpus.Entry) throws { try Corpus.check(brokenWithSize: entry) }

    /// The index says how many leading rows of libjpeg's output for a cut-off file equal those of the whole file.
    /// That counts only for one scan; of several, every row comes in the first.
    @Test(arguments: Corpus.entries("broken", format: "jpeg").filter { $0["rows"].hasPrefix("libjpeg") })
    func rowsThatCameAreThoseOfTheReference(entry: Corpus.Entry) throws {
        let words = entry["rows"].split(separator: " ").compactMap { Int($0) }
        let (good, height) = (words[0], words[1])
        let decoded = try CodecRegistry.builtIn.decode(entry.data)
        #expect(decoded.damage?.code == .truncatedImage)
        let rows = Pixels(decoded.image.pixels).leadingOpaqueRows
        if decoded.info.pixelDescription.contains("progressive") {
            #expect(rows == height)
        } else {
            #expect(rows == good)
        }
    }

    @Test func limitsRefuseBombs() throws {
        let bombs = [
            "own__jpeg_65500x65500_header.jpg": "maximumSourcePixels",
            "own__jpeg_scan_bomb_2048_x1500.jpg": "maximumScanCount",
            "sharp__giant-image.jpg": "maximumOutputPixels",
        ]
        for entry in Corpus.entries("broken") {
            guard let limit = bombs.first(where: { entry.path.hasSuffix($0.key) })?.value else { continue }
            let error = #expect(throws: ImageError.self) { try CodecRegistry.builtIn.decode(entry.data) }
            #expect(error?.code == .limitExceeded)
            #expect(error?.advice.contains(limit) == true, "\(entry.path)")
        }
    }
}
