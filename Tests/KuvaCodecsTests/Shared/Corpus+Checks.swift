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

    /// Decodes a broken file as ``check(broken:)`` does, and holds what all peers take against the index's size.
    static func check(brokenWithSize entry: Entry) throws {
        let outcome = Result { try CodecRegistry.builtIn.decode(entry.data) }
        switch (entry["expected"].split(separator: " [").first, outcome) {
        case ("decodes", .success(let decoded)):
            #expect(decoded.image.pixelSize == PixelSize(width: entry.number("width"), height: entry.number("height")))
            #expect(decoded.damage == nil)
        case ("decodes", .failure(let error)): Issue.record("all peers decode it: \(error)")
        case ("error", .success): Issue.record("no peer decodes it")
        case (_, .failure(let error)): #expect(error is ImageError)
        default: break
        }
    }

    /// Decodes a valid file and holds it against the index: sizes, frames, and stored pixels by their hash where two
    /// decoders agree on them, otherwise by block means within the difference that two decoders have.
    ///
    /// - Parameters:
    ///   - tolerance: allowed on top of the index's difference.
    ///   - isTurned: whether the index is of the upright picture.
    ///   - hasOtherFrames: whether the index counts frames in another way.
    @discardableResult
    static func check(
        valid entry: Entry,
        tolerance: Double = 0,
        hasOtherFrames: Bool = false,
        isTurned: Bool = false
    ) throws -> DecodedImage {
        let decoded = try CodecRegistry.builtIn.decode(entry.data)
        #expect(decoded.damage == nil)
        let info = decoded.info
        #expect(
            (isTurned ? info.uprightSize : info.storedSize)
                == PixelSize(width: entry.number("width"), height: entry.number("height"))
        )
        if !hasOtherFrames { #expect(decoded.info.frameCount == entry.number("frames")) }
        let plain = try Decoding.unconverted(entry.data)
        let stored = isTurned ? plain.upright(from: info.orientation) : plain
        let isOpaque = decoded.image.pixels.layout.alpha == .opaque
        if entry["exact"] == "yes" {
            // For animations the hash of the first frame alone.
            #expect(try storedHash(entry, isTurned: isTurned) == entry["sha256_frame0"])
            if stored.hasOnlyFullAlpha { #expect(SHA256.hex(stored.bytes) == entry["sha256_frame0"]) }
        } else if let probes = probes(of: entry) {
            let mine = stored.probes
            let allowed = Double(entry.number("max_diff")) + 1 + tolerance
            let compared = probes.indices.filter { isOpaque || $0 % 4 == 3 }
            let worst = compared.map { (abs(mine[$0] - probes[$0]), $0) }.max { $0.0 < $1.0 }
            #expect(worst?.0 ?? 0 <= allowed, "in block and channel \(worst.map { ($0.1 / 4, $0.1 % 4) } ?? (0, 0))")
        }
        return decoded
    }

    /// The hash of the stored pixels as the index has it: straight, without the colours of transparent pixels.
    private static func storedHash(_ entry: Entry, isTurned: Bool) throws -> String {
        let decoded = try CodecRegistry.builtIn.decode(entry.data, options: DecodeOptions(pixels: .stored))
        #expect(decoded.image.pixels.layout.alpha != .premultiplied)
        var pixels = Pixels(decoded.image.pixels)
        if isTurned { pixels = pixels.upright(from: decoded.info.orientation) }
        pixels.bytes.withUnsafeMutableBufferPointer { bytes in
            for pixel in stride(from: 0, to: bytes.count, by: 4) where bytes[pixel + 3] == 0 {
                for c in pixel..<pixel + 3 { bytes[c] = 0 }
            }
        }
        return SHA256.hex(pixels.bytes)
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
