extension ColourDescription {
    /// What the numbers of ISO/IEC 23091-2 (ITU-T H.273) mean, by which files name colours without a profile.
    ///
    /// The video curves count as that of sRGB: browsers show them so, since their pictures were made to look so. For those
    /// of HDR (16, PQ, and 18, HLG) see ``ToneMap``.
    init(primaries: UInt8, transfer: UInt8) {
        if let space = HDRSpace(primaries: primaries, transfer: transfer) {
            self = .highRange(space)
            return
        }
        guard let space = RGBSpace(primaries: primaries, transfer: transfer) else {
            self = .isUnknown
            return
        }
        self = space == .sRGB ? .sRGB : .space(space)
    }
}

extension RGBSpace {
    private static let d65 = Chromaticity(0.3127, 0.3290)

    /// `nil` for numbers that mean nothing, or nothing that can be converted.
    init?(primaries: UInt8, transfer: UInt8) {
        switch transfer {
        case 1, 2, 6, 13, 14, 15: curve = .sRGB
        case 4: curve = .gamma(2.2)
        case 5: curve = .gamma(2.8)
        case 8: curve = .gamma(1)
        default: return nil
        }
        white = Self.d65
        switch primaries {
        case 1, 2: (red, green, blue) = (Self.sRGB.red, Self.sRGB.green, Self.sRGB.blue)
        case 5: (red, green, blue) = (Chromaticity(0.64, 0.33), Chromaticity(0.29, 0.60), Chromaticity(0.15, 0.06))
        case 6, 7:
            (red, green, blue) = (Chromaticity(0.63, 0.34), Chromaticity(0.31, 0.595), Chromaticity(0.155, 0.07))
        case 9:
            (red, green, blue) = (Chromaticity(0.708, 0.292), Chromaticity(0.17, 0.797), Chromaticity(0.131, 0.046))
        case 11, 12:
            (red, green, blue) = (Chromaticity(0.68, 0.32), Chromaticity(0.265, 0.69), Chromaticity(0.15, 0.06))
            if primaries == 11 { white = Chromaticity(0.314, 0.351) }
        case 22:
            (red, green, blue) = (Chromaticity(0.63, 0.34), Chromaticity(0.295, 0.605), Chromaticity(0.155, 0.077))
        default: return nil
        }
    }
}
