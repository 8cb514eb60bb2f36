internal import CKuvaPixels
internal import Glibc

/// Turns a picture around its centre, clockwise as seen, by any angle.
///
/// Quarter turns are exact. Other angles are sampled bilinearly in premultiplied space, with edges that fade over one
/// pixel into the transparent corners. Key: `rotate(45)` or `rotate(45,keep)`.
public struct RotateTransformer: ImageTransformer, Hashable {
    /// The size of the result.
    public enum Canvas: String, Hashable, Sendable {
        /// The smallest size in whole pixels in which nothing is cut off.
        case fit
        /// The size of the picture; corners that reach out are cut off.
        case keep
    }

    private let angle: TransformNumber
    /// The size of the result.
    public let canvas: Canvas

    /// Makes a transformer.
    ///
    /// - Parameter degrees: the angle, clockwise; whole turns are taken off, so that -90 is the same as 270.
    public init(degrees: Double, canvas: Canvas = .fit) {
        let rest = degrees.truncatingRemainder(dividingBy: 360)
        let rounded = TransformNumber(rest < 0 ? rest + 360 : rest, in: 0...360)
        angle = rounded.value == 360 ? TransformNumber(0, in: 0...0) : rounded
        self.canvas = canvas
    }

    /// The angle, clockwise, from 0 up to but not 360, rounded to a thousandth.
    public var degrees: Double { angle.value }

    /// The canonical text of angle and canvas.
    public var key: String { TransformKey.make("rotate", [angle.text] + (canvas == .keep ? ["keep"] : [])) }

    /// The turned picture; the same picture for an angle of 0.
    ///
    /// - Throws: ``ImageError`` with the codes `invalid-configuration` for an angle that is no finite number,
    ///   `limit-exceeded` for a result above the default ``DecodeLimits``, or `out-of-memory`.
    public func transform(_ image: Image, pool: PixelBufferPool) throws(ImageError) -> Image {
        let degrees = try angle.checked("angle")
        let quarter: Orientation
        switch degrees {
        case 0: return image
        case 90: quarter = .right
        case 180: quarter = .down
        case 270: quarter = .left
        default: return try image.rotated(by: degrees, canvas: canvas, pool: pool)
        }
        let turned = try image.turned(quarter, pool: pool)
        return canvas == .fit ? turned : try turned.placed(.center, in: image.pixelSize, pool: pool)
    }
}

extension ImageTransformer where Self == RotateTransformer {
    /// Turns around the centre, clockwise; see ``RotateTransformer``.
    public static func rotate(degrees: Double, canvas: RotateTransformer.Canvas = .fit) -> RotateTransformer {
        RotateTransformer(degrees: degrees, canvas: canvas)
    }
}

extension Image {
    fileprivate func rotated(
        by degrees: Double,
        canvas: RotateTransformer.Canvas,
        pool: PixelBufferPool
    ) throws(ImageError) -> Image {
        let (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
        let (width, height) = (Double(pixelSize.width), Double(pixelSize.height))
        let size: PixelSize
        switch canvas {
        case .keep: size = pixelSize
        case .fit:
            // What a rounding error reaches into the next pixel does not count.
            let fitted = (width * abs(cosine) + height * abs(sine), width * abs(sine) + height * abs(cosine))
            size = PixelSize(width: Int((fitted.0 - 1e-6).rounded(.up)), height: Int((fitted.1 - 1e-6).rounded(.up)))
        }
        return try redrawn(size, pool: pool) { source, target in
            var picture = kuva_pixels_picture(
                pixels: source.base,
                stride: source.bytesPerRow,
                width: Int64(source.size.width),
                height: Int64(source.size.height)
            )
            let (step, drop) = (Self.fixed(cosine), Self.fixed(-sine))
            for y in 0..<size.height {
                let (right, down) = (0.5 - Double(size.width) / 2, Double(y) + 0.5 - Double(size.height) / 2)
                kuva_pixels_sample(
                    target.level,
                    target.row(y),
                    size.width,
                    &picture,
                    Self.fixed(cosine * right + sine * down + width / 2 - 0.5),
                    Self.fixed(cosine * down - sine * right + height / 2 - 0.5),
                    step,
                    drop
                )
            }
            return .premultiplied
        }
    }

    /// With 32 fraction bits. All places are within a few sides of the picture, so that they fit.
    private static func fixed(_ value: Double) -> Int64 { Int64((value * 4_294_967_296).rounded()) }
}
