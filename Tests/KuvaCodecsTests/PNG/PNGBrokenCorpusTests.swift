import Foundation
import KuvaCodecs
import KuvaCore
import Testing

@Suite("Broken PNGs of the corpus", .enabled(if: Corpus.isPresent))
struct PNGBrokenCorpusTests {
    static let entries = Corpus.entries("broken", format: "png") + Corpus.entries("broken", format: "apng")

    @Test(arguments: entries) func endsAsPeersDo(entry: Corpus.Entry) throws {
        let outcome = Result { try CodecRegistry.builtIn.decode(entry.data) }
        switch (entry["expected"].prefix { $0.isLetter }, outcome) {
        case ("decodes", .success(let decoded)):
            #expect(decoded.damage == nil)
            #expect(decoded.info.storedSize == PixelSize(width: entry.number("width"), height: entry.number("height")))
        case ("decodes", .failure(let error)): Issue.record("all peers decode it: \(error)")
        // Peers are all or nothing; rows that came are shown, but never without saying that something is wrong.
        case ("error", .success(let decoded)): #expect(decoded.damage != nil, "no peer decodes it")
        case (_, .failure(let error)): #expect(error is ImageError)
        default: break
        }
    }

    /// What libpng decodes, whatever Pillow and ImageMagick say, is shown.
    @Test(arguments: entries.filter { $0["decoders"].contains("libpng 1.6.39=ok") && !$0.path.contains("bomb") })
    func leniencyOfLibpng(entry: Corpus.Entry) throws {
        #expect(try CodecRegistry.builtIn.decode(entry.data).damage == nil)
    }

    /// `zlib: 141 of 300 rows complete`: what zlib inflates of a cut-off file, counted in rows.
    @Test(arguments: entries.filter { $0["rows"].hasPrefix("zlib") && $0["rows"].hasSuffix("complete") })
    func rowsThatCame(entry: Corpus.Entry) throws {
        let words = entry["rows"].split(separator: " ").compactMap { Int($0) }
        let (rows, height) = (words[0], words[1])
        guard rows > 0 else {
            let error = #expect(throws: ImageError.self) { try CodecRegistry.builtIn.decode(entry.data) }
            #expect(error?.code == .truncatedImage)
            return
        }
        let decoded = try CodecRegistry.builtIn.decode(entry.data)
        #expect(decoded.damage?.code == (rows == height ? nil : .truncatedImage))
        let pixels = Pixels(decoded.image.pixels)
        #expect(pixels.isClear(from: rows))
        let name = entry.path.split(separator: "_").last!.replacing("scikit-image-", with: "scikit-image__")
        let whole = Corpus.entries("formats").first {
            $0.path.hasSuffix(name.replacing("sharp-", with: "sharp__"))
                || rows == height && $0.path.hasSuffix("sd__\(name)")
        }
        if let whole {
            let reference = Pixels(try CodecRegistry.builtIn.decode(whole.data).image.pixels)
            let isEqual = pixels.rows(0..<rows) == reference.rows(0..<rows)
            #expect(isEqual && !pixels.isClear(from: rows - 1))
        }
    }

    @Test func limitsRefuseBombs() throws {
        let bombs = [
            "own__png_bomb_20000x20000_gray8.png": "maximumOutputPixels",
            "own__png_bomb_interlaced_20000x20000.png": "maximumOutputPixels",
            "own__png_2147483647x2147483647.png": "maximumSide",
            "own__png_65535x65535_rgba_tiny.png": "maximumSourcePixels",
        ]
        for entry in Self.entries {
            guard let limit = bombs.first(where: { entry.path.hasSuffix($0.key) })?.value else { continue }
            let error = #expect(throws: ImageError.self) { try CodecRegistry.builtIn.decode(entry.data) }
            #expect(error?.code == .limitExceeded)
            #expect(error?.advice.contains(limit) == true, "\(entry.path)")
        }
    }

    /// The valid bomb of 400 megapixels streams through a few rows into its thumbnail.
    @Test func bombStreamsIntoItsThumbnail() throws {
        let entry = try #require(Self.entries.first { $0.path.hasSuffix("own__png_bomb_20000x20000_gray8.png") })
        let options = DecodeOptions(targetSize: TargetSize(PixelSize(width: 100, height: 100)))
        let decoded = try CodecRegistry.builtIn.decode(entry.data, options: options)
        #expect(decoded.damage == nil)
        #expect(decoded.image.pixelSize == PixelSize(width: 100, height: 100))
    }
}
