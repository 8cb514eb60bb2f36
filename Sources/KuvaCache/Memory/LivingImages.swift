internal import KuvaCore

/// Pictures that left the cache while someone, a view say, still holds their pixels: found again as long as that lasts.
struct LivingImages: Sendable {
    private struct Entry: Sendable {
        weak var pixels: PixelBuffer?
        let scale: Double
        let format: ImageFormat
        let frameCount: Int
        let loopCount: Int?

        var image: Image? {
            pixels.map {
                Image(pixels: $0, scale: scale, format: format, frameCount: frameCount, loopCount: loopCount)
            }
        }
    }

    private var entries: [CacheKey: Entry] = [:]
    private var countAtSweep = 0

    var count: Int { entries.count }

    mutating func insert(_ image: Image, for key: CacheKey) {
        entries[key] = Entry(
            pixels: image.pixels,
            scale: image.scale,
            format: image.format,
            frameCount: image.frameCount,
            loopCount: image.loopCount
        )
        guard entries.count > 2 * countAtSweep + 32 else { return }
        entries = entries.filter { $0.value.pixels != nil }
        countAtSweep = entries.count
    }

    /// Takes out a picture that lives.
    mutating func take(_ key: CacheKey) -> Image? {
        entries.isEmpty ? nil : entries.removeValue(forKey: key)?.image
    }

    mutating func remove(where isUnwanted: (_ original: String) -> Bool) {
        if !entries.isEmpty { entries = entries.filter { !isUnwanted($0.key.original) } }
    }
}

extension Image {
    /// The picture, if someone besides the caller holds its pixels.
    ///
    /// Takes the caller's reference, so that it does not count.
    static func heldElsewhere(_ image: inout Image?) -> Image? {
        guard let present = image else { return nil }
        var pixels = present.pixels
        let (scale, format) = (present.scale, present.format)
        let (frameCount, loopCount) = (present.frameCount, present.loopCount)
        image = nil
        return isKnownUniquelyReferenced(&pixels)
            ? nil : Image(pixels: pixels, scale: scale, format: format, frameCount: frameCount, loopCount: loopCount)
    }
}
