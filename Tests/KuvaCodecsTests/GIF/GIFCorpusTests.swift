import Foundation
import KuvaCodecs
import KuvaCore
import Testing

@Suite("GIF corpus", .enabled(if: Corpus.isPresent))
struct GIFCorpusTests {
    /// First frames on the logical screen for files whose browser hash covers several frames or is missing, taken once
    /// from giflib 5.2.1 with a compositor that starts from a transparent screen. Checked by hand: where it differs from
    /// Pillow's, the frame does not cover the screen, or there is no palette, and what is left is transparent.
    private static let firstFrames = [
        "Pillow__dispose_bgnd.gif": "a49ff97a78ad85cdb1cdd6a3bf8dc2da1cc07a5408d3663e82c773a19539c351",
        "Pillow__no_palette.gif": "df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b81119",
        "gdk__dispose-restore-background.gif": "231f5cecc61699ca90f5e9acdbc4c47552f66daeb7ef55327cb7574cda9f29e5",
        "gdk__high-color.gif": "b925854e162907a6a681dd12a040f9a35d0498bd6bc4262f6ef90a9440c946ca",
        "gdk__images-combine.gif": "81353d0ac7b4e337dd397266d8bccb2587e46a9d2ffce9725910433f3942b235",
        "image__border_touching_layers.gif": "2a479c726e2eb6af53c8e8c59b4b0e430d299735d08265bd896521ff3829469d",
        "image__issue_1455_undersized.gif": "1780e38eaabef621a77a9ce5ac5c9481479f9be9fe4fe741eb0752d26aa407a6",
        "own__disposal2_transp_3frames.gif": "71205eb7a329a3ead670c77eee185c0fbeb612f7a2b3d6aadbe2af4f9276b60d",
        "own__frame_larger_than_canvas.gif": "d5c5977909a00e42c8f050599446cc87da3755ef4cc63f65b2dd4a4592c331da",
        "wuffs__multiple-loop-counts.gif": "721de832bebd1ced3cb85b5ca40ba388581134476d58a00b9190bb48903d7c44",
    ]

    @Test(arguments: Corpus.entries("formats", format: "gif"))
    func everyByteIsThatOfTheReference(entry: Corpus.Entry) throws {
        let decoded = try CodecRegistry.builtIn.decode(entry.data)
        let pixels = Pixels(decoded.image.pixels)
        let browser = entry["sha256_browser"]
        let known = Self.firstFrames.first { entry.path.hasSuffix($0.key) }?.value
        // Of one frame, the browser's hash is that of the first one; otherwise Pillow's, where the two agree.
        let isBrowsers = entry.number("frames") == 1 && !browser.isEmpty
        #expect(SHA256.hex(pixels.bytes) == known ?? (isBrowsers ? browser : entry["sha256_frame0"]))
        #expect(decoded.image.pixels.layout.alpha == (pixels.isOpaque ? .opaque : .premultiplied))
        // The index says "(2 frames)" where the browser-like program has others than Pillow.
        let count = browser.split(separator: "(").dropFirst().first.flatMap { Int($0.prefix { $0.isNumber }) }
        #expect(decoded.info.frameCount == count ?? entry.number("frames"))
    }

    /// The stored durations and loop counts of the index: what the one pass over the blocks must find.
    @Test(arguments: Corpus.entries("formats", format: "gif").filter { $0.number("frames") > 1 })
    func loopsAndFirstDuration(entry: Corpus.Entry) throws {
        let decoding = try Decoding(entry.data)
        // The index's reader takes the first count, if it stands before the first frame; browsers overwrite it with each
        // that comes. One file has three behind its frames, the last of them 40, another one 2 and 3.
        let last = ["wuffs__multiple-loop-counts.gif": 40, "Pillow__duplicate_number_of_loops.gif": 3]
        let known = last.first { entry.path.hasSuffix($0.key) }?.value
        #expect(decoding.info.loopCount == known ?? Int(entry["loop"]))
        let first = entry["durations_ms"].trimmingPrefix("first ").prefix { $0.isNumber }
        #expect(decoding.frame.duration == .milliseconds(Int(first) ?? -1))
    }
}
