/// What the chunks of a PNG say about its colours (PNG third edition, §11.3.2). A chunk that breaks the rules is as good
/// as none.
struct PNGColour {
    /// The ICC profile, whole.
    var profile: [UInt8]?
    private var codePoints: [UInt8]?
    private var isSRGB = false
    /// Times 100,000, as the file says it.
    private var gamma: UInt32?
    private var chromaticities: [UInt32]?

    mutating func take(_ type: PNGChunkType, _ bytes: [UInt8]) {
        switch type {
        case .codePoints where bytes.count == 4: codePoints = bytes
        case .sRGB where bytes.count == 1: isSRGB = true
        case .gamma where bytes.count == 4: gamma = bytes.bigEndian32(at: 0)
        case .chromaticities where bytes.count == 32:
            chromaticities = stride(from: 0, to: 32, by: 4).map { bytes.bigEndian32(at: $0) }
        default: break
        }
    }

    /// What counts, by §4.3: cICP before iCCP before sRGB before gAMA and cHRM.
    func description(isGrey: Bool) -> ColourDescription {
        if let codePoints {
            // §11.3.2.6: only RGB matrices are allowed. Pixels of a narrow range are not scaled, so that they are unknown.
            guard codePoints[2] == 0, codePoints[3] == 1 else { return .isUnknown }
            return ColourDescription(primaries: codePoints[0], transfer: codePoints[1])
        }
        if let profile { return .profile(profile, isGrey ? .grey : .rgb) }
        guard !isSRGB, let space, space.isValid else { return .sRGB }
        return space == .sRGB ? .sRGB : .space(space)
    }

    /// What gAMA and cHRM say; what one of them does not say is sRGB's.
    private var space: RGBSpace? {
        guard gamma != nil || chromaticities != nil else { return nil }
        var space = RGBSpace.sRGB
        if let gamma, gamma > 0 {
            // 1/2.2 stands for sRGB's curve (§11.3.2.5); who says it so says "as usual" and means no other look.
            let isUsual = abs(Double(gamma) / 45455 - 1) < 0.05
            if !isUsual { space.curve = .gamma(100_000 / Double(gamma)) }
        }
        if let chromaticities {
            let all = stride(from: 0, to: 8, by: 2).map { index in
                RGBSpace.Chromaticity(Double(chromaticities[index]) / 1e5, Double(chromaticities[index + 1]) / 1e5)
            }
            // A unit in the last place is no other colour; most writers mean sRGB's.
            let usual = [space.white, space.red, space.green, space.blue]
            let isUsual = zip(all, usual).allSatisfy { abs($0.x - $1.x) < 0.001 && abs($0.y - $1.y) < 0.001 }
            if !isUsual { (space.white, space.red, space.green, space.blue) = (all[0], all[1], all[2], all[3]) }
        }
        return space
    }
}
