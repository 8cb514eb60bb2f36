/// How a colour or picture (the source) meets the picture under it (the backdrop): the operators and modes of
/// Compositing and Blending Level 1, under its names.
///
/// The blend modes (§10) are composited source-over, as §5 says: where the backdrop is transparent, the source shows.
public enum BlendMode: String, Hashable, Sendable, CaseIterable {
    // MARK: Porter-Duff operators, §9

    /// Nothing.
    case clear
    /// The source alone.
    case copy
    /// The backdrop alone.
    case destination
    /// The source over the backdrop.
    case sourceOver = "source-over"
    /// The backdrop over the source.
    case destinationOver = "destination-over"
    /// The source where the backdrop is.
    case sourceIn = "source-in"
    /// The backdrop where the source is.
    case destinationIn = "destination-in"
    /// The source where the backdrop is not.
    case sourceOut = "source-out"
    /// The backdrop where the source is not.
    case destinationOut = "destination-out"
    /// The source over the backdrop, and only where that is.
    case sourceAtop = "source-atop"
    /// The backdrop over the source, and only where that is.
    case destinationAtop = "destination-atop"
    /// Each where the other is not.
    case xor
    /// The sum of both.
    case lighter

    // MARK: Blend modes channel by channel, §10.1

    /// The product: never lighter.
    case multiply
    /// The product of the negatives: never darker.
    case screen
    /// Multiply where the backdrop is dark, screen where it is light.
    case overlay
    /// The darker of both.
    case darken
    /// The lighter of both.
    case lighten
    /// Brightens the backdrop towards the source.
    case colorDodge = "color-dodge"
    /// Darkens the backdrop towards the source.
    case colorBurn = "color-burn"
    /// Multiply where the source is dark, screen where it is light.
    case hardLight = "hard-light"
    /// As hard-light, softer.
    case softLight = "soft-light"
    /// The distance of both.
    case difference
    /// As difference, with less contrast.
    case exclusion

    // MARK: Blend modes of whole colours, §10.2

    /// The source's hue with the backdrop's saturation and luminosity.
    case hue
    /// The source's saturation with the backdrop's hue and luminosity.
    case saturation
    /// The source's hue and saturation with the backdrop's luminosity.
    case color
    /// The source's luminosity with the backdrop's hue and saturation.
    case luminosity
}

extension BlendMode {
    /// B(cb, cs) of §10.1 for one channel; `nil` for the operators and the modes of whole colours.
    func blended(_ backdrop: Double, _ source: Double) -> Double? {
        switch self {
        case .multiply: backdrop * source
        case .screen: backdrop + source - backdrop * source
        case .overlay: Self.hardLight(source, backdrop)
        case .darken: min(backdrop, source)
        case .lighten: max(backdrop, source)
        case .colorDodge: backdrop == 0 ? 0 : source == 1 ? 1 : min(1, backdrop / (1 - source))
        case .colorBurn: backdrop == 1 ? 1 : source == 0 ? 0 : 1 - min(1, (1 - backdrop) / source)
        case .hardLight: Self.hardLight(backdrop, source)
        case .softLight: Self.softLight(backdrop, source)
        case .difference: abs(backdrop - source)
        case .exclusion: backdrop + source - 2 * backdrop * source
        default: nil
        }
    }

    private static func hardLight(_ backdrop: Double, _ source: Double) -> Double {
        guard source > 0.5 else { return backdrop * 2 * source }
        let doubled = 2 * source - 1
        return backdrop + doubled - backdrop * doubled
    }

    private static func softLight(_ backdrop: Double, _ source: Double) -> Double {
        guard source > 0.5 else { return backdrop - (1 - 2 * source) * backdrop * (1 - backdrop) }
        let lifted =
            backdrop <= 0.25
            ? ((16 * backdrop - 12) * backdrop + 4) * backdrop
            : backdrop.squareRoot()
        return backdrop + (2 * source - 1) * (lifted - backdrop)
    }
}
