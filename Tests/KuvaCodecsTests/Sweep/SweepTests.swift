import Foundation
import KuvaCodecs
import KuvaCore
import Testing

#if DEBUG
    private let isOptimised = false
#else
    private let isOptimised = true
#endif

/// Every file of the corpus cut off at 64 places and changed at 64, and every broken one as it is: an error or a
/// picture, never a crash, and never a byte of what the memory held before.
///
/// Here an eighth of that, chosen by a fixed seed; `script/sweep` does all of it. Debug builds are too slow.
@Suite("Sweep", .enabled(if: Corpus.isPresent && isOptimised))
struct SweepTests {
    /// Cuts of each file, and as many changes.
    private static let count = ProcessInfo.processInfo.environment["KUVA_SWEEP"] == "all" ? 64 : 8

    private static let formats: Set<String> = ["jpeg", "png", "apng", "gif", "webp"]
    private static let whole = (Corpus.entries("photos") + Corpus.entries("formats")).filter {
        formats.contains($0["format"])
    }

    /// Pictures over a megapixel are decoded small, which also takes them through the resampler.
    private static func options(_ entry: Corpus.Entry) -> DecodeOptions {
        let isLarge = entry.number("width") * entry.number("height") > 1 << 20
        return DecodeOptions(targetSize: isLarge ? TargetSize(PixelSize(width: 200, height: 200)) : nil)
    }

    @Test(.timeLimit(.minutes(60)), arguments: whole) func cutOff(entry: Corpus.Entry) throws {
        let file = try entry.data
        var random = Seeded(entry.path)
        for _ in 0..<Self.count {
            let part = file.prefix(random.number(below: file.count))
            try Self.check(part, Self.options(entry), isCut: true)
        }
    }

    @Test(.timeLimit(.minutes(60)), arguments: whole) func changed(entry: Corpus.Entry) throws {
        let file = try entry.data
        var random = Seeded(entry.path + " changed")
        for _ in 0..<Self.count {
            var copy = file
            for _ in 0..<random.number(below: 3) + 1 {
                // Half of the changes in the first kilobyte, where headers are.
                let range = random.number(below: 2) == 0 ? min(1024, copy.count) : copy.count
                copy[copy.startIndex + random.number(below: range)] ^= 1 << UInt8(random.number(below: 8))
            }
            try Self.check(copy, Self.options(entry), isCut: false)
        }
    }

    @Test(.timeLimit(.minutes(10)), arguments: Corpus.entries("broken")) func broken(entry: Corpus.Entry) throws {
        try Self.check(try entry.data, DecodeOptions(), isCut: false)
        try Self.check(
            try entry.data,
            DecodeOptions(targetSize: TargetSize(PixelSize(width: 50, height: 50))),
            isCut: false
        )
        // What stands beside the pixels is hostile too.
        do { _ = try CodecRegistry.builtIn.metadata(of: entry.data) } catch { #expect(error is ImageError) }
    }

    /// Decodes into memory full of one byte and then of another: who leaves a byte as it was gives two pictures.
    private static func check(_ file: Data, _ options: DecodeOptions, isCut: Bool) throws {
        var results: [(pixels: Pixels, damage: Bool)] = []
        for fill in [0x00, 0xEE] as [UInt8] {
            do {
                results.append(try decode(file, options, over: fill))
            } catch {
                #expect(error is ImageError)
            }
        }
        guard let first = results.first else { return }
        #expect(results.count == 2 && results[1].pixels == first.pixels)
        if let shown = try? PreviewTests.show(file, pieces: 5, options: options), isCut, !first.damage {
            #expect(shown.final == first.pixels)
        }
    }

    private static func decode(
        _ file: Data,
        _ options: DecodeOptions,
        over fill: UInt8
    ) throws -> (pixels: Pixels, damage: Bool) {
        guard let decoder = CodecRegistry.builtIn.makeDecoder(forPrefix: file, options: options) else {
            throw UnrecognisedBytes.error(for: file)
        }
        decoder.append(file, isLast: true)
        guard case .done(let info) = try decoder.readInfo() else {
            throw ImageError(.truncatedImage, "the file ends in its header")
        }
        try soil(info.outputLayout, fill)
        try soil(PixelLayout(size: info.storedSize), fill)
        var canvas = try PixelBufferPool.shared.canvas(info.outputLayout)
        guard case .done(let frame) = try decoder.decodeFrame(into: &canvas) else {
            throw ImageError(.truncatedImage, "the file ends before its picture")
        }
        let pixels = Pixels(canvas.freeze(alpha: frame.alpha))
        return (pixels, frame.damage != nil)
    }

    /// Fills the blocks of the pool that a decoder of such pictures gets next.
    private static func soil(_ layout: PixelLayout, _ fill: UInt8) throws {
        guard layout.byteCount <= 64 << 20 else { return }
        var one = try PixelBufferPool.shared.canvas(layout)
        var other = try PixelBufferPool.shared.canvas(layout)
        one.withUnsafeMutableBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: fill) }
        other.withUnsafeMutableBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: fill) }
    }

    /// Numbers that are the same in each run, for each name others.
    private struct Seeded {
        private var state: UInt64

        init(_ name: String) {
            // FNV-1a, 64 bits.
            state = name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        }

        mutating func number(below limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return limit > 0 ? Int(state >> 33) % limit : 0
        }
    }
}
