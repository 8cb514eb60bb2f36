import CGTK
import KuvaCore
import KuvaGTK
import Testing

/// Textures need neither a display nor the main thread.
@Suite("Textures")
struct TextureTests {
    private func download(_ texture: OpaquePointer, count: Int, stride: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        gdk_texture_download(texture, &bytes, gsize(stride))
        return bytes
    }

    private func release(_ texture: OpaquePointer) { g_object_unref(UnsafeMutableRawPointer(texture)) }

    @Test func textureHasThePictureSizeAndColours() throws {
        let image = try picture(width: 3, height: 2, (200, 100, 50, 255), alpha: .opaque)
        let texture = try #require(image.pixels.sharedTexture())
        defer { release(texture) }
        #expect(gdk_texture_get_width(texture) == 3)
        #expect(gdk_texture_get_height(texture) == 2)
        #expect(
            download(texture, count: 24, stride: 12) == Array(repeating: [50, 100, 200, 255], count: 6).flatMap { $0 }
        )
    }

    @Test("Premultiplied colours stay; straight ones are multiplied by GDK: 200 × 128 / 255 = 100.4")
    func alphaIsUnderstood() throws {
        for (mode, red) in [(AlphaMode.premultiplied, UInt8(100)), (.straight, 200)] {
            let image = try picture(width: 1, height: 1, (red, 0, 0, 128), alpha: mode)
            let texture = try #require(image.pixels.sharedTexture())
            defer { release(texture) }
            #expect(download(texture, count: 4, stride: 4) == [0, 0, 100, 128])
        }
    }

    @Test func nothingIsCopied() throws {
        let image = try picture(width: 1, height: 1, (1, 2, 3, 255))
        let texture = try #require(image.pixels.sharedTexture())
        defer { release(texture) }
        // Finished pixels never change; here they do, to see whose memory the texture reads.
        image.pixels.withUnsafeBytes { bytes in
            UnsafeMutableRawPointer(mutating: bytes.baseAddress!).storeBytes(of: 9, as: UInt8.self)
        }
        #expect(download(texture, count: 4, stride: 4) == [3, 2, 9, 255])
    }

    @Test func textureHoldsThePixelsUntilItsLastReferenceGoes() throws {
        weak var pixels: PixelBuffer?
        var texture: OpaquePointer?
        do {
            let image = try picture(width: 4, height: 4)
            pixels = image.pixels
            texture = image.pixels.sharedTexture()
        }
        let made = try #require(texture)
        #expect(pixels != nil)
        g_object_ref(UnsafeMutableRawPointer(made))
        release(made)
        #expect(pixels != nil)
        release(made)
        #expect(pixels == nil)
    }

    @Test func pixelsAreReleasedOnceOnly() throws {
        var image: Image? = try picture(width: 4, height: 4)
        var pixels = try #require(image).pixels
        image = nil
        let texture = try #require(pixels.sharedTexture())
        #expect(!isKnownUniquelyReferenced(&pixels))
        release(texture)
        #expect(isKnownUniquelyReferenced(&pixels))
        #expect(pixels.rgba(x: 3, y: 3)?.red == 255)
    }
}
