import CGTK
import KuvaCore
import KuvaGTK
import Testing

@Suite("Shared textures", .serialized)
struct SharedTextureTests {
    private func release(_ texture: OpaquePointer) { g_object_unref(UnsafeMutableRawPointer(texture)) }

    @Test func samePixelsHaveOneTextureWhileSomeoneHoldsIt() throws {
        let image = try picture(width: 3, height: 2)
        let first = try #require(image.pixels.sharedTexture())
        let second = try #require(image.pixels.sharedTexture())
        #expect(first == second)
        let other = try #require(try picture(width: 3, height: 2).pixels.sharedTexture())
        #expect(other != first)
        release(other)
        release(first)
        release(second)
        let third = try #require(image.pixels.sharedTexture())
        #expect(gdk_texture_get_width(third) == 3)
        release(third)
    }

    @Test func manyThreadsMayAskAtOnce() async throws {
        let image = try picture(width: 3, height: 2)
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<2_000 {
                        guard let texture = image.pixels.sharedTexture() else { return false }
                        g_object_unref(UnsafeMutableRawPointer(texture))
                    }
                    return true
                }
            }
            for await isFine in group { #expect(isFine) }
        }
    }
}
