import KuvaCore

/// Pictures whose pixels take a known number of bytes.
enum Images {
    private static let pool = PixelBufferPool(maximumFreeBytes: 0)

    /// A picture of `pages` times 4,096 bytes: 32 pixels wide, as RGBA.
    static func picture(pages: Int = 1) throws -> Image {
        let layout = try PixelLayout(size: PixelSize(width: 32, height: 32 * pages))
        return Image(pixels: try pool.canvas(layout).freeze())
    }

    /// An animation of two frames, whose first takes so many pages and whose file takes one.
    static func animation(pages: Int = 1) throws -> Image {
        let poster = try picture(pages: pages)
        let still = Image(pixels: poster.pixels, format: .gif, frameCount: 2, loopCount: 0)
        return still.animated(by: AnimatedImage(poster: still, provider: Frames(still.pixels)))
    }

    private final class Frames: AnimatedImageProvider {
        let format = ImageFormat.gif
        let timeline = AnimationTimeline(durations: [.seconds(1), .seconds(1)])
        let encodedByteCount = 4096
        let layout: PixelLayout

        init(_ pixels: PixelBuffer) { layout = pixels.layout }

        func frame(at index: Int, pool: PixelBufferPool) throws(ImageError) -> PixelBuffer {
            try pool.canvas(layout).freeze()
        }
    }
}
