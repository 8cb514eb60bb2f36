import Foundation
import KuvaCodecs
import KuvaCore
import Testing

/// Files that are cut off or changed.
enum HostileBytes {
    #if DEBUG
        static let changesPerFile = 16
    #else
        static let changesPerFile = 64
    #endif

    /// What decoding comes to; an error that is not an ``ImageError`` or a pixel that depends on what the canvas held
    /// before is an issue.
    @discardableResult
    static func outcome(of data: Data, options: DecodeOptions = DecodeOptions()) -> Result<PixelBuffer, ImageError> {
        let first = decode(data, over: 0xAA, options)
        if case .success(let pixels) = first, case .success(let again) = decode(data, over: 0x55, options) {
            #expect(equal(pixels, again), "a pixel is left as it was")
        }
        return first
    }

    /// Cuts and changes a file at places that are the same each time.
    static func damage(_ data: Data, seed: UInt64) {
        for index in 0..<changesPerFile {
            outcome(of: data.prefix(data.count * index / changesPerFile))
        }
        var random = seed
        for _ in 0..<changesPerFile {
            var copy = data
            for _ in 0..<2 {
                random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                // Half of the changes hit the first bytes, where the header is.
                let range = random & 1 == 0 ? min(copy.count, 256) : copy.count
                copy[copy.startIndex + Int(random >> 33) % range] ^= UInt8(truncatingIfNeeded: random >> 24) | 1
            }
            outcome(of: copy)
        }
    }

    private static func decode(
        _ data: Data,
        over byte: UInt8,
        _ options: DecodeOptions
    ) -> Result<PixelBuffer, ImageError> {
        do throws(ImageError) {
            guard let decoder = CodecRegistry.builtIn.makeDecoder(forPrefix: data, options: options) else {
                throw UnrecognisedBytes.error(for: data)
            }
            decoder.append(data, isLast: true)
            guard case .done(let info) = try decoder.readInfo() else {
                throw ImageError(.truncatedImage, "in the header")
            }
            var canvas = try PixelBufferPool.shared.canvas(info.outputLayout)
            canvas.withUnsafeMutableBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: byte) }
            guard case .done(let frame) = try decoder.decodeFrame(into: &canvas) else {
                throw ImageError(.truncatedImage, "in the frame")
            }
            return .success(canvas.freeze(alpha: frame.alpha))
        } catch {
            #expect(!error.message.isEmpty && !error.advice.isEmpty)
            return .failure(error)
        }
    }

    private static func equal(_ a: PixelBuffer, _ b: PixelBuffer) -> Bool {
        a.layout.size == b.layout.size
            && a.withUnsafeBytes { first in
                b.withUnsafeBytes { memcmp(first.baseAddress!, $0.baseAddress!, first.count) }
            }
                == 0
    }
}
