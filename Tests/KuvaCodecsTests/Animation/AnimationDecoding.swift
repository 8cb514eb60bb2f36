import Foundation
import KuvaCodecs
import KuvaCore
import Testing

/// The frames of an animation, as a decoder gives them.
struct AnimationDecoding {
    let info: ImageInfo
    let decoder: any AnimationDecoder

    /// Opens `data`, whole, for all its frames.
    init(_ data: Data, options: DecodeOptions = DecodeOptions()) throws {
        let made = CodecRegistry.builtIn.makeDecoder(forPrefix: data, options: options)
        guard let animated = made as? any AnimationDecoder else { throw UnrecognisedBytes.error(for: data) }
        decoder = animated
        decoder.append(data, isLast: true)
        guard case .done(let info) = try decoder.readInfo() else {
            throw ImageError(.truncatedImage, "the decoder wants bytes after the last")
        }
        self.info = info
        decoder.seek(toFrame: 0)
    }

    /// The next frame, or `nil` after the last.
    func next() throws -> (pixels: Pixels, frame: FrameInfo)? {
        var canvas = try PixelBufferPool.shared.canvas(info.outputLayout)
        // What a canvas held before must not show.
        canvas.withUnsafeMutableBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: 0x5A) }
        switch try decoder.decodeFrame(into: &canvas) {
        case .done(let frame): return (Pixels(canvas.freeze(alpha: frame.alpha)), frame)
        case .end: return nil
        case .needsMoreBytes: throw ImageError(.truncatedImage, "the decoder wants bytes after the last")
        }
    }

    /// The frame at `index`.
    func frame(_ index: Int) throws -> Pixels {
        decoder.seek(toFrame: index)
        return try #require(try next()).pixels
    }

    func allFrames() throws -> [(pixels: Pixels, frame: FrameInfo)] {
        decoder.seek(toFrame: 0)
        var frames: [(pixels: Pixels, frame: FrameInfo)] = []
        while let frame = try next() { frames.append(frame) }
        return frames
    }
}

extension Corpus.Entry {
    /// The times as stored, in milliseconds; `nil` where the index only sums them up.
    var durations: [Int]? {
        let text = self["durations_ms"]
        if let range = text.range(of: " x"), let value = Int(text[..<range.lowerBound]),
            let count = Int(text[range.upperBound...])
        {
            return [Int](repeating: value, count: count)
        }
        let values = text.split(separator: ",").map { Int($0) }
        return values.contains(nil) ? nil : values.compactMap { $0 }
    }
}
