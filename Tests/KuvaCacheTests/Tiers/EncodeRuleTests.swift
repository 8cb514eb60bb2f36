import Foundation
import KuvaCore
import Testing

@testable import KuvaCache

/// The peer's rule (SDImageCache, storing without data): the picture's own format, else GIF if it moves, PNG if it has
/// alpha, JPEG.
@Suite("Which format a picture is written in")
struct EncodeRuleTests {
    @Test(arguments: [
        (ImageFormat.unknown, 1, false, ["jpeg", "png"]), (.unknown, 1, true, ["png"]),
        (.unknown, 5, false, ["gif", "jpeg", "png"]), (.unknown, 5, true, ["gif", "png"]),
        (.png, 1, false, ["png", "jpeg"]), (.jpeg, 1, false, ["jpeg", "png"]),
        (.webp, 1, true, ["webp", "png"]), (.webp, 5, false, ["webp", "gif", "jpeg", "png"]),
        (.gif, 5, true, ["gif", "png"]), (.avif, 1, false, ["avif", "jpeg", "png"]),
        // Not the peer's: a JPEG with rounded corners.
        (.jpeg, 1, true, ["png"]),
    ])
    func order(own: ImageFormat, frameCount: Int, hasAlpha: Bool, expected: [String]) {
        let formats = EncodeRule.formats(own: own, frameCount: frameCount, hasAlpha: hasAlpha)
        #expect(formats.map(\.name) == expected)
    }

    /// The first that an encoder writes is taken; an animation is never written as its first frame.
    @Test func whateverEncodersThereAre() throws {
        let folder = DiskFixture()
        func stored(_ image: Image, _ codec: TextCodec) throws -> Data? {
            let disk = folder.cache()
            let cache = ImageCache(memory: MemoryCache(), disk: disk, decoders: codec, encoders: codec)
            try cache.store(image, data: nil, for: folder.key(1), in: .disk)
            return try disk.data(for: folder.key(1))?.bytes
        }
        let png = TextCodec(encoding: ["png"])
        #expect(try stored(TextCodec.picture(.webp), png) == TextCodec.file("png"))
        #expect(try stored(TextCodec.picture(.webp), TextCodec(encoding: ["webp", "png"])) == TextCodec.file("webp"))
        let moving = try Images.animation()
        let error = #expect(throws: ImageError.self) { try stored(moving, TextCodec(encoding: ["gif", "png"])) }
        #expect(error?.code == .unsupportedFormat)
        let file = TextCodec.file("gif", "32x32", frames: 2, alpha: "premultiplied")
        #expect(try stored(moving, TextCodec(encoding: ["gif"], animations: ["gif"])) == file)
    }
}
