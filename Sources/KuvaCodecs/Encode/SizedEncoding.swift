internal import FoundationEssentials
internal import KuvaCore

/// Finds the best file that is no longer than wanted: by halving the range of qualities, then by smaller pictures.
struct SizedEncoding {
    let encoder: any ImageEncoder
    let options: EncodeOptions
    let maximumByteCount: Int

    /// Qualities that are told apart; seven encodings find one of them.
    private static let steps = 100

    /// - Throws: ``ImageError`` with the code `limit-exceeded` if not even one pixel fits.
    func encode(_ image: Image) throws(ImageError) -> Data {
        var image = image
        while true {
            let pixels = image.pixels
            let first = try encoder.encode(pixels, options: options)
            if first.count <= maximumByteCount { return first }
            var smallest = first
            if encoder.usesQuality(options) {
                smallest = try file(pixels, step: 0)
                if smallest.count <= maximumByteCount { return try best(pixels, atLeast: smallest) }
            }
            guard let smaller = smallerSize(pixels.layout.size, byteCount: smallest.count) else {
                throw ImageError(
                    .limitExceeded,
                    "no \(encoder.format) file of the picture has only \(maximumByteCount) bytes",
                    advice: "allow more bytes"
                )
            }
            image = try ResizeTransformer(smaller).transform(image, pool: .shared)
        }
    }

    private func file(_ pixels: PixelBuffer, step: Int) throws(ImageError) -> Data {
        try options.cancellation?.check()
        var options = options
        options.quality *= Double(step) / Double(Self.steps)
        return try encoder.encode(pixels, options: options)
    }

    /// The file of the highest step that fits; sizes grow with the quality, or nearly so.
    private func best(_ pixels: PixelBuffer, atLeast smallest: Data) throws(ImageError) -> Data {
        var (best, fits, tooLarge) = (smallest, 0, Self.steps)
        while tooLarge - fits > 1 {
            let middle = (fits + tooLarge) / 2
            let found = try file(pixels, step: middle)
            if found.count <= maximumByteCount { (best, fits) = (found, middle) } else { tooLarge = middle }
        }
        return best
    }

    /// A size whose file should fit, a tenth smaller at least; `nil` for a pixel.
    private func smallerSize(_ size: PixelSize, byteCount: Int) -> PixelSize? {
        guard size.width > 1 || size.height > 1 else { return nil }
        let factor = min(0.9, (Double(max(1, maximumByteCount)) / Double(byteCount)).squareRoot())
        return PixelSize(
            width: max(1, Int(Double(size.width) * factor)),
            height: max(1, Int(Double(size.height) * factor))
        )
    }
}
