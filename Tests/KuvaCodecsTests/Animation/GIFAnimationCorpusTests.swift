import Foundation
import KuvaCodecs
import KuvaCore
import Testing

/// All frames of the corpus's GIFs against a browser-style compositor on giflib, whose hash is in the index.
@Suite("Animated GIFs of the corpus", .enabled(if: Corpus.isPresent))
struct GIFAnimationCorpusTests {
    static let entries = Corpus.entries("formats", format: "gif").filter { !$0["sha256_browser"].isEmpty }

    @Test(arguments: entries)
    func everyFrameIsThatOfTheReference(entry: Corpus.Entry) throws {
        let decoding = try AnimationDecoding(entry.data)
        let frames = try decoding.allFrames()
        let hash = SHA256.hex(frames.flatMap(\.pixels.bytes))
        // Where the compositor read another number of frames than the index's own decoder, the index says so.
        let reference = entry["sha256_browser"].split(separator: " ", maxSplits: 1)
        let note = reference.dropFirst().first?.dropFirst().split(separator: " ").first
        #expect(hash == reference[0])
        #expect(frames.map(\.frame.index) == Array(0..<frames.count))
        #expect(frames.count == note.flatMap { Int($0) } ?? entry.number("frames"))
        if let durations = entry.durations, durations.count > 1 {
            #expect(frames.map(\.frame.duration) == durations.map { .milliseconds($0) })
        }
    }

    /// Frames asked for backwards, and every third one, are those of playing forward.
    @Test(arguments: entries.filter { $0.number("frames") > 1 && $0.number("bytes") < 300_000 })
    func orderDoesNotMatter(entry: Corpus.Entry) throws { try Corpus.checkOrder(of: entry) }

    /// The first frame is the same whether it is wanted alone, row by row, or as the start of the animation.
    @Test(arguments: entries)
    func firstFrameAloneIsTheSame(entry: Corpus.Entry) throws { try Corpus.checkFirstFrame(of: entry) }
}
