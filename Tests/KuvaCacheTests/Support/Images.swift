import KuvaCore

/// Pictures whose pixels take a known number of bytes.
enum Images {
    private static let pool = PixelBufferPool(maximumFreeBytes: 0)

    /// A picture of `pages` times 4,096 bytes: 32 pixels wide, as RGBA.
    static func picture(pages: Int = 1) throws -> Image {
        let layout = try PixelLayout(size: PixelSize(width: 32, height: 32 * pages))
        return Image(pixels: try pool.canvas(layout).freeze())
    }
}
