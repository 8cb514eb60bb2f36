internal import Glibc
internal import KuvaCore

/// Makes sRGB of pixels of high dynamic range, as a display of 203 cd/m² would be given them.
///
/// - PQ says the light of a display (ITU-R BT.2100-2, table 4); HLG becomes that of one of 1,000 cd/m², with its system
///   gamma of 1.2 (table 5).
/// - What is brighter than the display is pressed together by the EETF of ITU-R BT.2390-10, §5.4.1, from a source of
///   1,000 cd/m², for which nearly all such pictures are made, to 203 cd/m², the white of ITU-R BT.2408. It leaves what is
///   darker than some 90 cd/m² as it is. The curve is taken of the largest of red, green and blue and applied to all
///   three, so that no hue changes; what is brighter than the source's 1,000 is white of its hue.
/// - Then the primaries become those of sRGB; what lies outside is cut.
///
/// Pixels have 8 bits when they come here, also where the file has more.
final class ToneMap: PixelRowConverter {
    private let curve: HDRSpace.Curve
    /// The light of each level: of the display in units of its white; for HLG that of the scene from 0 to 1.
    private let light: [Float]
    /// PQ: by what light is multiplied of which the largest channel has this level.
    private let factor: [Float]
    /// HLG: the same, by the light of the largest channel, in ``steps`` up to the source's.
    private let steppedFactor: [Float]
    private let primaries: (red: SIMD3<Float>, green: SIMD3<Float>, blue: SIMD3<Float>)
    /// The parts of red, green and blue in lightness.
    private let lightness: SIMD3<Float>

    /// cd/m² of the brightest that a picture is taken to have, and of white.
    static let (sourcePeak, white) = (1000.0, 203.0)
    private static let steps = 4096

    init(_ space: HDRSpace) {
        curve = space.curve
        light = (0...255).map { level in
            let signal = Double(level) / 255
            return Float(
                space.curve == .pq ? HDRSpace.pqLight(signal) / Self.white : HDRSpace.hlgScene(signal)
            )
        }
        factor = light.map { Float(Self.factor(ofLight: Double($0) * Self.white)) }
        let peak = Self.sourcePeak
        steppedFactor = (0...Self.steps).map { step in
            Float(Self.factor(ofLight: peak * Double(step) / Double(Self.steps)))
        }
        let columns = space.light.lightInSRGB
        primaries = (SIMD3<Float>(columns.red), SIMD3<Float>(columns.green), SIMD3<Float>(columns.blue))
        let colorants = space.light.colorants
        lightness = SIMD3<Float>(Float(colorants.red.y), Float(colorants.green.y), Float(colorants.blue.y))
    }

    /// What the EETF leaves of light in cd/m², as a part of it.
    static func factor(ofLight light: Double) -> Double {
        guard light > 0 else { return 1 }
        let peak = HDRSpace.pqSignal(sourcePeak)
        let most = HDRSpace.pqSignal(white) / peak
        let knee = 1.5 * most - 0.5
        let signal = min(1, HDRSpace.pqSignal(light) / peak)
        guard signal > knee else { return 1 }
        let t = (signal - knee) / (1 - knee)
        let (t2, t3) = (t * t, t * t * t)
        let start = (2 * t3 - 3 * t2 + 1) * knee
        let slope = (t3 - 2 * t2 + t) * (1 - knee)
        let end = (3 * t2 - 2 * t3) * most
        return HDRSpace.pqLight((start + slope + end) * peak) / light
    }

    func convert(_ pixels: UnsafeMutableRawPointer, count: Int) {
        let bytes = pixels.assumingMemoryBound(to: UInt8.self)
        Self.levels.withUnsafeBufferPointer { levels in
            light.withUnsafeBufferPointer { light in
                for pixel in 0..<count {
                    let start = bytes + 4 * pixel
                    let (red, green, blue) = (Int(start[0]), Int(start[1]), Int(start[2]))
                    var colour = SIMD3<Float>(light[red], light[green], light[blue])
                    colour *= curve == .pq ? factor[max(red, green, blue)] : hlgFactor(colour)
                    let mixed = colour.x * primaries.red + colour.y * primaries.green + colour.z * primaries.blue
                    let steps = (mixed * Float(levels.count - 1)).rounded(.toNearestOrEven)
                        .clamped(lowerBound: .zero, upperBound: SIMD3(repeating: Float(levels.count - 1)))
                    for channel in 0..<3 { start[channel] = levels[Int(steps[channel])] }
                }
            }
        }
    }

    /// By what the light of a scene is multiplied to be that of the display, pressed together, in units of its white.
    private func hlgFactor(_ scene: SIMD3<Float>) -> Float {
        // BT.2100-2, table 5: the light of the scene times its lightness to the power of gamma less 1.
        let gain = powf((scene * lightness).sum(), 0.2)
        let step = min(1, scene.max() * gain) * Float(Self.steps)
        return gain * Float(Self.sourcePeak / Self.white) * steppedFactor[Int(step.rounded())]
    }

    /// The level of sRGB of each light between 0 and 1 (IEC 61966-2-1).
    private static let levels: [UInt8] = (0...1 << 14).map { step in
        let light = Double(step) / Double(1 << 14)
        let signal = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
        return UInt8((255 * signal).rounded())
    }
}
