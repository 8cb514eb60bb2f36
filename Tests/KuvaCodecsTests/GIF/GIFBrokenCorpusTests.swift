import Foundation
import KuvaCodecs
import KuvaCore
import Testing

@Suite("Broken GIFs of the corpus", .enabled(if: Corpus.isPresent))
struct GIFBrokenCorpusTests {
    static let entries = Corpus.entries("broken", format: "gif")

    @Test(arguments: entries) func endsAsPeersDo(entry: Corpus.Entry) throws {
        let outcome = Result { try CodecRegistry.builtIn.decode(entry.data) }
        switch (entry["expected"], outcome) {
        case ("decodes", .success(let decoded)):
            #expect(decoded.damage == nil)
            #expect(decoded.info.storedSize == PixelSize(width: entry.number("width"), height: entry.number("height")))
        case ("decodes", .failure(let error)): Issue.record("all peers decode it: \(error)")
        case ("error", .success): Issue.record("no peer decodes it")
        case (_, .failure(let error)): #expect(error is ImageError)
        default: break
        }
    }

    /// The index says that one row of this cut-off file equals the whole file's, by giflib; the others are interlaced.
    @Test func rowsThatCame() throws {
        let part = try #require(Self.entries.first { $0.path.hasSuffix("own__trunc50_image-gif-interlaced.gif") })
        let whole = Corpus.entries("formats", format: "gif").first { $0.path.hasSuffix("image-gif__interlaced.gif") }
        #expect(part["rows"].hasPrefix("giflib 5.2.1+own compositor: first 1 of 330 rows"))
        let decoded = try CodecRegistry.builtIn.decode(part.data)
        #expect(decoded.damage?.code == .truncatedImage)
        let (rows, all) = (
            Pixels(decoded.image.pixels), Pixels(try CodecRegistry.builtIn.decode(whole!.data).image.pixels)
        )
        let equal = (0..<330).filter { rows.rows($0..<$0 + 1) == all.rows($0..<$0 + 1) }
        // Half of the file has the first two passes, each fourth row; no row is empty.
        #expect(Set(equal).isSuperset(of: stride(from: 0, to: 330, by: 4)))
        #expect(equal.count < 330)
        #expect(rows.leadingOpaqueRows == 330)
    }

    @Test func limitsRefuseBombs() throws {
        let entry = try #require(Self.entries.first { $0.path.hasSuffix("own__gif_canvas_65535_frame_1x1.gif") })
        let error = #expect(throws: ImageError.self) { try CodecRegistry.builtIn.decode(entry.data) }
        #expect(error?.code == .limitExceeded)
        #expect(error?.advice.contains("maximumSourcePixels") == true)
    }

    @Test func twentyThousandFramesAreCountedAndNotDecoded() throws {
        let entry = try #require(Self.entries.first { $0.path.contains("gif_frame_bomb_20000x1px") })
        #expect(try CodecRegistry.builtIn.info(of: entry.data).frameCount == 20000)
        var limits = DecodeLimits()
        limits.maximumFrameCount = 19999
        let error = #expect(throws: ImageError.self) {
            try CodecRegistry.builtIn.info(of: entry.data, options: DecodeOptions(limits: limits))
        }
        #expect(error?.advice.contains("maximumFrameCount") == true)
    }
}
