internal import KuvaCore

/// Pictures that left the cache while someone, a view say, still holds their pixels: found again as long as that lasts.
struct LivingImages: Sendable {
    private struct Entry: Sendable {
        weak var pixels: PixelBuffer?
        /// Keeps the pixels, which are its poster.
        weak var animation: AnimatedImage?
        let isAnimated: Bool
        let scale: Double
        let format: ImageFormat
        let frameCount: Int
        let loopCount: Int?

        init(_ image: Image) {
            pixels = image.pixels
            animation = image.animation
            isAnimated = image.animation != nil
            (scale, format) = (image.scale, image.format)
            (frameCount, loopCount) = (image.frameCount, image.loopCount)
        }

        /// The whole picture; `nil` if anything of it is gone.
        var image: Image? {
            guard let pixels else { return nil }
            let animation = animation
            if isAnimated, animation == nil { return nil }
            return Image(
                pixels: pixels,
                scale: scale,
                format: format,
                frameCount: frameCount,
                loopCount: loopCount,
                animation: animation
            )
        }
    }

    private var entries: [CacheKey: Entry] = [:]
    private var countAtSweep = 0

    var count: Int { entries.count }

    mutating func insert(_ image: Image, for key: CacheKey) {
        entries[key] = Entry(image)
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
    /// The picture, if someone besides the caller holds its animation, or the pixels of one that does not move.
    ///
    /// Takes the caller's reference, so that it does not count.
    static func heldElsewhere(_ image: inout Image?) -> Image? {
        guard let present = image else { return nil }
        var (pixels, animation) = (present.pixels, present.animation)
        let (scale, format) = (present.scale, present.format)
        let (frameCount, loopCount) = (present.frameCount, present.loopCount)
        image = nil
        if animation == nil {
            if isKnownUniquelyReferenced(&pixels) { return nil }
        } else if isKnownUniquelyReferenced(&animation) {
            return nil
        }
        return Image(
            pixels: pixels,
            scale: scale,
            format: format,
            frameCount: frameCount,
            loopCount: loopCount,
            animation: animation
        )
    }
}
