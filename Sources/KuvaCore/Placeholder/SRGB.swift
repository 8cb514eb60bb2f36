internal import Glibc

/// The transfer function of sRGB (IEC 61966-2-1).
enum SRGB {
    /// Linear light from 0 to 1 for each number from 0 to 255.
    static let linear: [Double] = (0...255).map { number in
        let value = Double(number) / 255
        return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    /// The nearest number for linear light; what is outside 0...1 is cut.
    static func encode(_ light: Double) -> UInt8 {
        let value = max(0, min(1, light))
        let encoded = value <= 0.003_130_8 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055
        return UInt8(encoded * 255 + 0.5)
    }
}
