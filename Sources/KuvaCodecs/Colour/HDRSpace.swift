internal import Glibc

/// A colour space of high dynamic range: one of the two curves of ITU-R BT.2100 over some primaries.
struct HDRSpace: Hashable, Sendable {
    enum Curve: Hashable, Sendable {
        /// Perceptual quantisation (SMPTE ST 2084): light of a display, up to 10,000 cd/m².
        case pq
        /// Hybrid log-gamma (ARIB STD-B67): light of a scene.
        case hlg
    }

    /// The primaries, with a curve that is none.
    var light: RGBSpace
    var curve: Curve

    /// `nil` unless the curve is one of those, on primaries whose white is D65.
    init?(primaries: UInt8, transfer: UInt8) {
        guard let space = RGBSpace(primaries: primaries, transfer: 8), space.white == RGBSpace.sRGB.white else {
            return nil
        }
        switch transfer {
        case 16: curve = .pq
        case 18: curve = .hlg
        default: return nil
        }
        light = space
    }

    /// Light in cd/m² of a signal between 0 and 1 (BT.2100-2, table 4).
    static func pqLight(_ signal: Double) -> Double {
        let power = pow(signal, 1 / PQ.m2)
        return 10_000 * pow(max(power - PQ.c1, 0) / (PQ.c2 - PQ.c3 * power), 1 / PQ.m1)
    }

    /// The signal of light in cd/m² (BT.2100-2, table 4).
    static func pqSignal(_ light: Double) -> Double {
        let power = pow(max(light, 0) / 10_000, PQ.m1)
        return pow((PQ.c1 + PQ.c2 * power) / (1 + PQ.c3 * power), PQ.m2)
    }

    /// Light of the scene between 0 and 1 of a signal between 0 and 1 (BT.2100-2, table 5).
    static func hlgScene(_ signal: Double) -> Double {
        let a = 0.17883277
        let (b, c) = (1 - 4 * a, 0.5 - a * log(4 * a))
        return signal <= 0.5 ? signal * signal / 3 : (exp((signal - c) / a) + b) / 12
    }

    private enum PQ {
        static let m1 = 2610.0 / 16384
        static let m2 = 2523.0 / 4096 * 128
        static let c1 = 3424.0 / 4096
        static let c2 = 2413.0 / 4096 * 32
        static let c3 = 2392.0 / 4096 * 32
    }
}

extension RGBSpace {
    /// Light of this space in three columns of XYZ, with white at 1.
    var colorants: (red: SIMD3<Double>, green: SIMD3<Double>, blue: SIMD3<Double>) {
        let columns = [red, green, blue].map(\.atUnitLightness)
        let parts = Self.solve(columns[0], columns[1], columns[2], white.atUnitLightness)
        return (columns[0] * parts.x, columns[1] * parts.y, columns[2] * parts.z)
    }

    /// What the light of each primary is in that of sRGB.
    var lightInSRGB: (red: SIMD3<Double>, green: SIMD3<Double>, blue: SIMD3<Double>) {
        let (ours, theirs) = (RGBSpace.sRGB.colorants, colorants)
        func converted(_ xyz: SIMD3<Double>) -> SIMD3<Double> { Self.solve(ours.red, ours.green, ours.blue, xyz) }
        return (converted(theirs.red), converted(theirs.green), converted(theirs.blue))
    }

    /// How much of three columns makes up a fourth (Cramer's rule).
    private static func solve(
        _ a: SIMD3<Double>,
        _ b: SIMD3<Double>,
        _ c: SIMD3<Double>,
        _ sum: SIMD3<Double>
    ) -> SIMD3<Double> {
        let volume = dot(a, cross(b, c))
        return SIMD3(dot(sum, cross(b, c)), dot(a, cross(sum, c)), dot(a, cross(b, sum))) / volume
    }

    private static func dot(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double { (a * b).sum() }

    private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
    }
}

extension RGBSpace.Chromaticity {
    fileprivate var atUnitLightness: SIMD3<Double> { SIMD3(x / y, 1, (1 - x - y) / y) }
}
