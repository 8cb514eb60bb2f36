internal import CKuvaPixels

/// Scales a picture to cover a size and cuts to where most is to be seen, instead of to the centre.
///
/// What draws the eye is estimated on a copy of at most 64 pixels a side: edges (the Laplacian of the luma), strong
/// colours and tones of skin, each weighed by alpha, as libvips' “attention” does. Of the windows that the size allows,
/// that with the largest sum is taken, and of equal ones the most central. Key: `smart-crop(300x200)`.
public struct SmartCropTransformer: ImageTransformer, Hashable {
    /// The size wanted.
    public let size: PixelSize
    /// Whether a picture smaller than the size is made larger; where not, sides that are shorter stay shorter.
    public let allowsUpscaling: Bool

    /// Makes a transformer; sides are cut to 1...65,535.
    public init(_ size: PixelSize, allowsUpscaling: Bool = false) {
        self.size = PixelSize(width: max(1, min(65_535, size.width)), height: max(1, min(65_535, size.height)))
        self.allowsUpscaling = allowsUpscaling
    }

    /// The canonical text of size and upscaling.
    public var key: String { TransformKey.make("smart-crop", ["\(size)"] + (allowsUpscaling ? ["up"] : [])) }

    /// The cut picture; the same picture where the size is its own.
    ///
    /// - Throws: ``ImageError`` with the code `limit-exceeded` for a result above the default ``DecodeLimits``, or
    ///   `out-of-memory`.
    public func transform(_ image: Image, pool: PixelBufferPool) throws(ImageError) -> Image {
        let (width, height) = (Double(image.pixelSize.width), Double(image.pixelSize.height))
        let fitting = min(width / Double(size.width), height / Double(size.height))
        let shrink = allowsUpscaling ? fitting : max(1, fitting)
        let output = PixelSize(
            width: min(size.width, max(1, Int((width / shrink).rounded()))),
            height: min(size.height, max(1, Int((height / shrink).rounded())))
        )
        guard output != image.pixelSize else { return image }
        let (columns, rows) = (min(width, Double(output.width) * shrink), min(height, Double(output.height) * shrink))
        let map = try InterestMap(image, pool: pool)
        let (left, top) = (
            Self.start(columns / width, in: map.columns) * width, Self.start(rows / height, in: map.rows) * height
        )
        return try image.redrawn(output, pool: pool) { source, target throws(ImageError) in
            try target.resample(
                source,
                horizontally: .init(start: left, length: columns),
                vertically: .init(start: top, length: rows)
            )
        }
    }

    /// Where the window of the given part of the whole with the largest sum begins, as a part of the whole.
    private static func start(_ length: Double, in interest: [Double]) -> Double {
        guard length < 1 else { return 0 }
        var sums = [0.0]
        for value in interest { sums.append(sums[sums.count - 1] + value) }
        func sum(to place: Double) -> Double {
            let position = max(0, min(1, place)) * Double(interest.count)
            let whole = min(interest.count - 1, Int(position))
            return sums[whole] + (position - Double(whole)) * interest[whole]
        }
        let stepCount = 128
        // From the centre outwards, so that only a window that has really more displaces it.
        let places = (0...stepCount).sorted { abs(2 * $0 - stepCount) < abs(2 * $1 - stepCount) }
        let starts = places.map { (1 - length) * Double($0) / Double(stepCount) }
        var best = (start: (1 - length) / 2, sum: -1.0)
        let margin = sums[sums.count - 1] * 1e-9
        for start in starts {
            let sum = sum(to: start + length) - sum(to: start)
            if sum > best.sum + margin { best = (start, sum) }
        }
        return best.start
    }
}

extension ImageTransformer where Self == SmartCropTransformer {
    /// Covers a size and cuts to where most is to be seen; see ``SmartCropTransformer``.
    public static func smartCrop(_ size: PixelSize, allowsUpscaling: Bool = false) -> SmartCropTransformer {
        SmartCropTransformer(size, allowsUpscaling: allowsUpscaling)
    }
}

/// How much there is to see in each column and row of a small copy of a picture.
private struct InterestMap {
    let columns: [Double]
    let rows: [Double]

    init(_ image: Image, pool: PixelBufferPool) throws(ImageError) {
        let target = TargetSize(PixelSize(width: 64, height: 64))
        let small = try image.resized(to: target.outputSize(for: image.pixelSize), pool: pool)
        let size = small.pixelSize
        var values = [UInt32](repeating: 0, count: size.width * size.height)
        try small.premultipliedPixels(pool: pool).withUnsafeRows { rows in
            kuva_pixels_interest(&values, rows.base, rows.bytesPerRow, size.width, size.height)
        }
        var columns = [Double](repeating: 0, count: size.width)
        var rows = [Double](repeating: 0, count: size.height)
        for (index, value) in values.enumerated() {
            columns[index % size.width] += Double(value)
            rows[index / size.width] += Double(value)
        }
        self.columns = columns
        self.rows = rows
    }
}
