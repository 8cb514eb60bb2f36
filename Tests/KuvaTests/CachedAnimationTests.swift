import Foundation
import Kuva
import Testing

/// A picture cache on the real decoders.
@Suite("Animations in a picture cache")
struct CachedAnimationTests {
    /// A GIF drawn by hand: 1×1, a red frame and a blue one of a tenth of a second each, for ever. The codes of a frame,
    /// three bits each from the low end: clear (4), its colour, end (5).
    private let movingGIF: Data = {
        var bytes = Array("GIF89a".utf8)
        bytes += [1, 0, 1, 0, 0x80, 0, 0, 255, 0, 0, 0, 0, 255]
        bytes += [0x21, 0xFF, 11]
        bytes += Array("NETSCAPE2.0".utf8)
        bytes += [3, 1, 0, 0, 0]
        for codes in [0b0100_0100, 0b0100_1100] as [UInt8] {
            bytes += [0x21, 0xF9, 4, 0, 10, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, codes, 1, 0]
        }
        bytes.append(0x3B)
        return Data(bytes)
    }()

    @Test func anAnimationOnDiskMovesAgain() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("kuva-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let cache = ImageCache(
            memory: MemoryCache(byteLimit: 1 << 20),
            disk: DiskCache(configuration: .init(directory: folder.path)),
            decoders: CodecRegistry.builtIn
        )
        let key = CacheKey(original: "https://example.org/moving.gif")
        try await cache.store(nil, data: CachedData(bytes: movingGIF, storedAt: Date()), for: key)
        let image = try #require(try await cache.query(key)?.image)
        let animation = try #require(image.animation)
        #expect(animation.timeline.durations == [.milliseconds(100), .milliseconds(100)])
        let last = try animation.provider.frame(at: 1, pool: .shared).rgba(x: 0, y: 0)
        #expect(last.map { [$0.red, $0.green, $0.blue, $0.alpha] } == [0, 0, 255, 255])
        #expect(try await cache.query(key)?.image?.animation === animation, "in memory it is the same one")
        let other = CacheKey(original: "https://example.org/same.gif")
        try await cache.store(image, for: other, in: .disk)
        #expect(
            try cache.disk?.data(for: other)?.bytes == movingGIF,
            "without its file, it is stored as the file it has"
        )
        var options = CacheQueryOptions()
        options.firstFrameOnly = true
        let still = try #require(try await cache.query(key, options)?.image)
        #expect(still.animation == nil && still.frameCount == 1)
    }

    /// Changed frame by frame, an animation is no longer what is in its file: it is written anew, with all its frames.
    @Test func anAnimationWithoutAFileIsWritten() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("kuva-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let cache = ImageCache(
            memory: MemoryCache(byteLimit: 1 << 20),
            disk: DiskCache(configuration: .init(directory: folder.path)),
            decoders: CodecRegistry.builtIn,
            encoders: EncoderRegistry.builtIn
        )
        let animation = try #require(try AnimatedImage.decode(movingGIF, decoders: CodecRegistry.builtIn))
        let larger = try animation.applying(
            ResizeTransformer(PixelSize(width: 2, height: 2), allowsUpscaling: true)
        )
        let key = CacheKey(original: "https://example.org/larger.gif")
        try await cache.store(larger.poster.animated(by: larger), for: key, in: .disk)
        let found = try #require(try await cache.query(key)?.image?.animation)
        #expect(found.pixelSize == PixelSize(width: 2, height: 2))
        #expect(found.timeline.durations == [.milliseconds(100), .milliseconds(100)])
        #expect(found.lapCount == nil)
        for (index, colour) in [[255, 0, 0, 255], [0, 0, 255, 255] as [UInt8]].enumerated() {
            let pixel = try found.provider.frame(at: index, pool: .shared).rgba(x: 1, y: 1)
            #expect(pixel.map { [$0.red, $0.green, $0.blue, $0.alpha] } == colour)
        }
    }
}
