internal import KuvaCore

/// How the planes of a lossy WebP lie in one block of memory: luma, then both of chroma, with half as many samples each
/// way, rounded up.
struct WebPPlaneLayout {
    /// The size of the plane of luma.
    let size: PixelSize
    let lumaBytesPerRow: Int
    let chromaBytesPerRow: Int
    let uOffset: Int
    let vOffset: Int
    let byteCount: Int

    /// `nil` for planes that would take more than ``maximumByteCount``.
    init?(_ size: PixelSize) {
        guard let count = size.pixelCount, count <= Self.maximumByteCount else { return nil }
        lumaBytesPerRow = Self.bytesPerRow(size.width)
        chromaBytesPerRow = Self.bytesPerRow((size.width + 1) / 2)
        uOffset = lumaBytesPerRow * size.height
        vOffset = uOffset + chromaBytesPerRow * ((size.height + 1) / 2)
        byteCount = vOffset + chromaBytesPerRow * ((size.height + 1) / 2)
        self.size = size
        guard byteCount <= Self.maximumByteCount else { return nil }
    }

    /// An odd number of cache lines: rows a power of two apart would push each other out of the cache.
    private static func bytesPerRow(_ width: Int) -> Int { (width + 63) / 64 * 64 | 64 }

    /// The planes of 16 megapixels, 24 MiB: as much as the memory pool keeps without a thought. libwebp itself scales
    /// larger pictures while it decodes them, which takes memory for the output only, and more time.
    static let maximumByteCount = 24 << 20

    /// A canvas with room for the planes, so that their memory comes from the pool of pixels.
    var canvasLayout: PixelLayout {
        get throws(ImageError) {
            try PixelLayout(size: PixelSize(width: 1024, height: (byteCount + 4095) / 4096), alpha: .straight)
        }
    }
}

/// Planes, and what makes smaller rows of RGBA of them.
struct WebPPlanes: ~Copyable {
    private let layout: WebPPlaneLayout
    private var resampler: YUVResampler

    init(_ layout: WebPPlaneLayout, _ resampler: consuming YUVResampler) {
        self.layout = layout
        self.resampler = resampler
    }

    /// Makes the next row, if what it needs is among the first `rowCount` rows of luma.
    mutating func makeRow(
        from memory: UnsafeRawBufferPointer,
        rowCount: Int,
        into row: UnsafeMutableRawPointer
    ) -> Bool {
        guard memory.count >= layout.byteCount,
            let start = memory.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { return false }
        let planes = YUVResampler.Planes(
            luma: start,
            lumaBytesPerRow: layout.lumaBytesPerRow,
            u: start + layout.uOffset,
            v: start + layout.vOffset,
            chromaBytesPerRow: layout.chromaBytesPerRow
        )
        return resampler.makeRow(from: planes, lumaRowCount: rowCount, into: row)
    }
}
