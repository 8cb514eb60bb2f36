internal import CKuvaPixels

/// Lays a picture over or under another: a badge, a watermark, a background.
///
/// The result has the size of the picture that is transformed; what reaches out of it is cut off. Key:
/// `overlay(badge,bottom-right,-8-8)`, with `,0.5` for an opacity and `,under` where it lies under.
public struct OverlayTransformer: ImageTransformer {
    /// Which of the two pictures is on top.
    public enum Order: String, Hashable, Sendable {
        /// The overlay lies over the picture.
        case over
        /// The overlay lies under the picture and shows where that is transparent.
        case under
    }

    private let overlay: Image
    private let name: String
    private let anchor: Anchor
    private let offset: (x: Int, y: Int)
    private let opacity: TransformNumber
    private let order: Order

    /// Makes a transformer.
    ///
    /// - Parameters:
    ///   - overlay: the picture to lay over, pixel on pixel, whatever the two scales.
    ///   - name: what the overlay is known by in cache keys: another one needs another name.
    ///   - anchor: where in the picture it stands.
    ///   - offset: pixels to the right and down from there; cut to ±65,535.
    ///   - opacity: what its alpha is multiplied by; rounded to a thousandth and cut to 0...1.
    ///   - order: which picture is on top.
    public init(
        _ overlay: Image,
        name: String,
        at anchor: Anchor = .center,
        offset: (x: Int, y: Int) = (0, 0),
        opacity: Double = 1,
        order: Order = .over
    ) {
        self.overlay = overlay
        self.name = name
        self.anchor = anchor
        self.offset = (max(-65_535, min(65_535, offset.x)), max(-65_535, min(65_535, offset.y)))
        self.opacity = TransformNumber(opacity, in: 0...1)
        self.order = order
    }

    /// The canonical text of name, place, opacity and order.
    public var key: String {
        var parameters = [TransformKey.escaped(name), anchor.rawValue]
        parameters.append("\(offset.x < 0 ? "" : "+")\(offset.x)\(offset.y < 0 ? "" : "+")\(offset.y)")
        if opacity.value != 1 { parameters.append(opacity.text) }
        if order == .under { parameters.append(order.rawValue) }
        return TransformKey.make("overlay", parameters)
    }

    /// Both pictures; the same picture where nothing of the overlay would show.
    ///
    /// - Throws: ``ImageError`` with the code `invalid-configuration` for an opacity that is not a number, or
    ///   `out-of-memory`.
    public func transform(_ image: Image, pool: PixelBufferPool) throws(ImageError) -> Image {
        let strength = UInt32((try opacity.checked("opacity") * 255).rounded())
        var place = anchor.place(overlay.pixelSize, in: image.pixelSize)
        place.x += offset.x
        place.y += offset.y
        guard strength > 0, let area = place.clipped(to: image.pixelSize) else { return image }
        if order == .under, image.pixels.layout.alpha == .opaque { return image }
        let part = PixelRect(x: area.x - place.x, y: area.y - place.y, width: area.size.width, height: area.size.height)
        let layer = try faded(order == .under ? strength : 255, pool: pool)
        return try image.redrawn(image.pixelSize, pool: pool) { source, target in
            source.copy(to: target)
            layer.withUnsafeRows { rows in
                let (overlay, picture) = (rows.part(part), source.part(area))
                for y in 0..<area.size.height {
                    let (bottom, top) =
                        order == .over ? (picture.row(y), overlay.row(y)) : (overlay.row(y), picture.row(y))
                    let out = target.row(area.y + y) + area.x * 4
                    let factor = order == .over ? strength : 255
                    _ = kuva_pixels_over(target.level, out, bottom, top, area.size.width, factor)
                }
            }
            let isOpaque = image.pixels.layout.alpha == .opaque
            return isOpaque ? .opaque : .premultiplied
        }
    }

    /// The overlay's pixels times an opacity of 255.
    private func faded(_ strength: UInt32, pool: PixelBufferPool) throws(ImageError) -> PixelBuffer {
        guard strength < 255 else { return try overlay.premultipliedPixels(pool: pool) }
        let factor = Double(strength) / 255
        let weights = (0..<4).map { row in (0..<4).map { $0 == row ? factor : 0 } }
        return try ColorMatrix(weights: weights, offsets: [0, 0, 0, 0]).apply(to: overlay, pool: pool).pixels
    }
}

extension ImageTransformer where Self == OverlayTransformer {
    /// Lays a picture over or under; see ``OverlayTransformer``.
    public static func overlay(
        _ overlay: Image,
        name: String,
        at anchor: Anchor = .center,
        offset: (x: Int, y: Int) = (0, 0),
        opacity: Double = 1,
        order: OverlayTransformer.Order = .over
    ) -> OverlayTransformer {
        OverlayTransformer(overlay, name: name, at: anchor, offset: offset, opacity: opacity, order: order)
    }
}
