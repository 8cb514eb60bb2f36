import Foundation
import KuvaCodecs
import KuvaCore
import Testing

extension Corpus {
    /// Block means of a picture's straight RGBA8, 8 × 8 blocks of 4 channels; `nil` where the corpus has none.
    static func probes(of entry: Entry) -> [Double]? {
        guard let root, let set = entry.path.split(separator: "/").first,
            let text = try? String(contentsOf: root.appendingPathComponent("\(set)/probes.tsv"), encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix(entry.path + "\t") })
        else { return nil }
        let digits = Array(line.dropFirst(entry.path.count + 1).utf8).compactMap {
            Character(UnicodeScalar($0)).hexDigitValue
        }
        return stride(from: 0, to: digits.count - 1, by: 2).map { Double(digits[$0] * 16 + digits[$0 + 1]) }
    }

    /// Decodes a valid file and holds it against the index: sizes, frames, and pixels by their hash where two decoders
    /// agree on them and alpha is full, otherwise by block means within the difference that two decoders have.
    ///
    /// - Parameter tolerance: allowed on top of the index's difference.
    @discardableResult
    static func check(valid entry: Entry, tolerance: Double = 0) throws -> DecodedImage {
        let decoded = try CodecRegistry.builtIn.decode(entry.data)
        #expect(decoded.damage == nil)
        #expect(decoded.info.storedSize == PixelSize(width: entry.number("width"), height: entry.number("height")))
        #expect(decoded.info.frameCount == entry.number("frames"))
        let stored = Pixels(decoded.image.pixels).stored(as: decoded.info.orientation)
        let isOpaque = decoded.image.pixels.layout.alpha == .opaque
        if entry["exact"] == "yes", stored.hasOnlyFullAlpha {
            // For animations the hash of the first frame alone.
            #expect(SHA256.hex(stored.bytes) == entry["sha256_frame0"])
        } else if let probes = probes(of: entry) {
            let mine = stored.probes
            let allowed = Double(entry.number("max_diff")) + 1 + tolerance
            let compared = probes.indices.filter { isOpaque || $0 % 4 == 3 }
            let worst = compared.map { (abs(mine[$0] - probes[$0]), $0) }.max { $0.0 < $1.0 }
            #expect(worst?.0 ?? 0 <= allowed, "in block and channel \(worst.map { ($0.1 / 4, $0.1 % 4) } ?? (0, 0))")
        }
        return decoded
    }

    /// Decodes a broken file: what comes must be as the index says; see ``HostileBytes``.
    static func check(broken entry: Entry) throws {
        let data = try entry.data
        let outcome = HostileBytes.outcome(of: data)
        let expected = entry["expected"]
        switch outcome {
        case .success where expected == "error" || expected.hasPrefix("error ["):
            Issue.record("it decodes, and no other program's decoder takes it")
        case .failure(let error) where expected == "decodes":
            Issue.record("other decoders take it: \(error)")
        default: break
        }
    }
}
