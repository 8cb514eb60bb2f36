/// Blurs a picture by a true Gaussian; pixels past the edges are taken to be like the outermost ones.
///
/// A wide Gaussian is two narrower ones, one after the other, their variances summed up: the first, with as many samples
/// as its width needs, makes the picture small, the second makes it large again. So the time for a pixel does not grow
/// with the radius, and the result is that of the plain sum to within two of 255. Key: `blur(12)`.
public struct BlurTransformer: ImageTransformer, Hashable {
    private let sigma: TransformNumber

    /// Makes a transformer.
    ///
    /// - Parameter radius: the standard deviation in pixels, as in CSS; rounded to a thousandth and cut to 0...1000.
    public init(radius: Double) { sigma = TransformNumber(radius, in: 0...1000) }

    /// The standard deviation in pixels.
    public var radius: Double { sigma.value }

    /// The canonical text of the radius.
    public var key: String { TransformKey.make("blur", [sigma.text]) }

    /// The blurred picture; the same picture for a radius of 0.
    ///
    /// - Throws: ``ImageError`` with the code `invalid-configuration` for what is not a number, or `out-of-memory`.
    public func transform(_ image: Image, pool: PixelBufferPool) throws(ImageError) -> Image {
        let sigma = try sigma.checked("radius")
        guard sigma > 0 else { return image }
        guard let columns = Reduction(of: image.pixelSize.width, sigma: sigma),
            let rows = Reduction(of: image.pixelSize.height, sigma: sigma)
        else { return try image.blurredDirectly(sigma, pool: pool) }
        let small = PixelSize(width: columns.count, height: rows.count)
        let reduced = try image.redrawn(small, pool: pool) { source, target throws(ImageError) in
            try target.resample(source, horizontal: columns.down(.horizontal), vertical: rows.down(.vertical))
        }
        return try reduced.redrawn(image.pixelSize, pool: pool) { source, target throws(ImageError) in
            try target.resample(source, horizontal: columns.up(.horizontal), vertical: rows.up(.vertical))
        }
    }
}

extension ImageTransformer where Self == BlurTransformer {
    /// Blurs by a Gaussian with this standard deviation in pixels; see ``BlurTransformer``.
    public static func blur(radius: Double) -> BlurTransformer { BlurTransformer(radius: radius) }
}

/// One axis of a blur through a smaller picture.
private struct Reduction {
    /// Pixels of the axis.
    let fullCount: Int
    /// Pixels of the axis in the small picture, with what the second Gaussian needs on both sides.
    let count: Int
    /// The standard deviation of each of the two Gaussians.
    private let half: Double
    /// Pixels of the full picture that one of the small picture stands for.
    private let step: Double

    /// Samples of a Gaussian this far apart, in its standard deviations inverted, let an error of 2 exp(-2 π² 0.75²),
    /// 0.003 %, through.
    private static let deviation = 0.75
    private static let margin = 3

    /// `nil` where the Gaussian is so narrow that there is nothing to win.
    init?(of fullCount: Int, sigma: Double) {
        half = sigma / 2.0.squareRoot()
        step = half / Self.deviation
        guard step > 2 else { return nil }
        self.fullCount = fullCount
        count = Int((Double(fullCount) / step).rounded(.up)) + 2 * Self.margin
    }

    func down(_ pass: ResamplingFilter.Recipe.Pass) -> ResamplingFilter.Recipe {
        ResamplingFilter.Recipe(
            kernel: .gaussian(half),
            pass: pass,
            sourceCount: fullCount,
            outputCount: count,
            origin: -Double(Self.margin) * step,
            step: step
        )
    }

    func up(_ pass: ResamplingFilter.Recipe.Pass) -> ResamplingFilter.Recipe {
        ResamplingFilter.Recipe(
            kernel: .gaussian(Self.deviation),
            pass: pass,
            sourceCount: count,
            outputCount: fullCount,
            origin: Double(Self.margin),
            step: 1 / step
        )
    }
}

extension Image {
    fileprivate func blurredDirectly(_ sigma: Double, pool: PixelBufferPool) throws(ImageError) -> Image {
        try redrawn(pixelSize, pool: pool) { source, target throws(ImageError) in
            try target.resample(
                source,
                horizontal: Self.blur(.horizontal, source.size.width, sigma),
                vertical: Self.blur(.vertical, source.size.height, sigma)
            )
        }
    }

    private static func blur(
        _ pass: ResamplingFilter.Recipe.Pass,
        _ count: Int,
        _ sigma: Double
    ) -> ResamplingFilter.Recipe {
        .init(kernel: .gaussian(sigma), pass: pass, sourceCount: count, outputCount: count, step: 1)
    }
}
