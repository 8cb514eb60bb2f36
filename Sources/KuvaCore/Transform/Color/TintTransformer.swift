internal import CKuvaPixels

/// Lays one colour over a picture by a blend mode.
///
/// The default, source-atop, colours what is there and leaves its shape. Key: `tint(#ff000080,source-atop)`.
public struct TintTransformer: ImageTransformer, Hashable {
    /// The colour, the source of the blending.
    public let color: Color
    /// How it meets the picture, the backdrop.
    public let mode: BlendMode

    /// Makes a transformer.
    public init(_ color: Color, mode: BlendMode = .sourceAtop) {
        self.color = color
        self.mode = mode
    }

    /// The canonical text of colour and mode.
    public var key: String { TransformKey.make("tint", ["\(color)", mode.rawValue]) }

    /// The tinted picture; the same picture for a mode and colour that change nothing.
    ///
    /// - Throws: ``ImageError`` with the code `out-of-memory`.
    public func transform(_ image: Image, pool: PixelBufferPool) throws(ImageError) -> Image {
        if let matrix = porterDuff {
            return matrix == ColorMatrix(factor: 1) ? image : try matrix.apply(to: image, pool: pool)
        }
        guard color.alpha > 0 else { return image }
        guard let wholeColorMode else { return try table.apply(to: image, pool: pool) }
        let source = channels.map(Float.init)
        return try image.redrawn(image.pixelSize, pool: pool) { rows, target in
            target.mapPixels(of: rows) { out, input, count in
                kuva_pixels_blend(wholeColorMode, out, input, count, source)
            }
        }
    }

    /// Straight red, green and blue, and alpha; from 0 to 1.
    private var channels: [Double] { [color.red, color.green, color.blue, color.alpha].map { Double($0) / 255 } }

    /// The separable modes: with αs and cs fixed, the colour inside the picture depends on cb only.
    private var table: ColorTable {
        let (source, alpha) = (channels, channels[3])
        return ColorTable(outside: source[..<3].map { $0 * alpha } + [alpha]) { channel, backdrop in
            alpha * (mode.blended(backdrop, source[channel]) ?? source[channel]) + (1 - alpha) * backdrop
        }
    }

    private var wholeColorMode: Int32? {
        switch mode {
        case .hue: Int32(KUVA_PIXELS_HUE)
        case .saturation: Int32(KUVA_PIXELS_SATURATION)
        case .color: Int32(KUVA_PIXELS_COLOR)
        case .luminosity: Int32(KUVA_PIXELS_LUMINOSITY)
        default: nil
        }
    }

    /// co = αs Fa cs + αb Fb cb (§5.1), with premultiplied numbers and αs fixed, is linear in the picture's pixel:
    /// Fa is a constant plus a multiple of αb, Fb a constant.
    private var porterDuff: ColorMatrix? {
        let alpha = channels[3]
        let factors: (source: Double, sourceByBackdrop: Double, backdrop: Double)? =
            switch mode {
            case .clear: (0, 0, 0)
            case .copy: (1, 0, 0)
            case .destination: (0, 0, 1)
            case .sourceOver: (1, 0, 1 - alpha)
            case .destinationOver: (1, -1, 1)
            case .sourceIn: (0, 1, 0)
            case .destinationIn: (0, 0, alpha)
            case .sourceOut: (1, -1, 0)
            case .destinationOut: (0, 0, 1 - alpha)
            case .sourceAtop: (0, 1, 1 - alpha)
            case .destinationAtop: (1, -1, alpha)
            case .xor: (1, -1, 1 - alpha)
            case .lighter: (1, 0, 1)
            default: nil
            }
        guard let factors else { return nil }
        let source = channels[..<3].map { $0 * alpha } + [alpha]
        let weights = (0..<4).map { row in
            (0..<4).map { column in
                (row == column ? factors.backdrop : 0) + (column == 3 ? factors.sourceByBackdrop * source[row] : 0)
            }
        }
        return ColorMatrix(weights: weights, offsets: source.map { $0 * factors.source })
    }
}

extension ImageTransformer where Self == TintTransformer {
    /// Lays one colour over the picture; see ``TintTransformer``.
    public static func tint(_ color: Color, mode: BlendMode = .sourceAtop) -> TintTransformer {
        TintTransformer(color, mode: mode)
    }
}
