/// One channel of a pixel of 16 or 32 bits: which bits hold it, and the 8-bit value of each of theirs.
struct BMPChannel {
    private let mask: UInt32
    private let shift: UInt32
    private let values: [UInt8]

    /// - Parameter mask: the channel's bits; none give 0 for every pixel.
    init(mask: UInt32) {
        let first = mask == 0 ? 0 : mask.trailingZeroBitCount
        let width = mask == 0 ? 0 : 32 - mask.leadingZeroBitCount - first
        self.mask = mask
        // Of more than 8 bits, the high 8 count.
        shift = UInt32(first + max(0, width - 8))
        values = (0..<256).map { Self.widened(UInt8($0), from: min(8, width)) }
    }

    func value(of pixel: UInt32) -> UInt8 { values[Int((pixel & mask) >> shift & 0xFF)] }

    /// Repeats the bits from the top down, so that all ones give 255.
    private static func widened(_ value: UInt8, from width: Int) -> UInt8 {
        guard width > 0 else { return 0 }
        var (result, filled) = (UInt32(value) << UInt32(32 - width), width)
        while filled < 8 {
            result |= result >> UInt32(filled)
            filled *= 2
        }
        return UInt8(result >> 24)
    }
}

/// The channels of a pixel of 16 or 32 bits.
struct BMPChannels {
    let red: BMPChannel
    let green: BMPChannel
    let blue: BMPChannel
    /// `nil` for a picture without alpha.
    let alpha: BMPChannel?

    init(red: UInt32, green: UInt32, blue: UInt32, alpha: UInt32) {
        self.red = BMPChannel(mask: red)
        self.green = BMPChannel(mask: green)
        self.blue = BMPChannel(mask: blue)
        self.alpha = alpha == 0 ? nil : BMPChannel(mask: alpha)
    }

    func expand(_ pixel: UInt32, to target: UnsafeMutablePointer<UInt8>) {
        target[0] = red.value(of: pixel)
        target[1] = green.value(of: pixel)
        target[2] = blue.value(of: pixel)
        target[3] = alpha?.value(of: pixel) ?? 255
    }
}
