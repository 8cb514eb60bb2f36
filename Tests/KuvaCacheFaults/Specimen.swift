package import FoundationEssentials

/// Bodies that say which key and version they are, byte by byte, so that any mixture of two is recognised.
package enum Specimen {
    /// The body for a version of a key: 16 bytes that name both and the length, then a stream that follows from them.
    package static func body(key: Int, version: Int, length: Int) -> Data {
        var data = Data(capacity: 16 + length)
        for number in [UInt32(key), UInt32(version), UInt32(length), 0x5350_4543] {
            withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
        }
        var state = UInt64(key) << 40 ^ UInt64(version) << 20 ^ UInt64(length) ^ 0x9E37_79B9_7F4A_7C15
        for _ in 0..<length {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            data.append(UInt8(truncatingIfNeeded: state >> 33))
        }
        return data
    }

    /// Which key and version a body is; `nil` if it is not whole.
    package static func identify(_ data: Data) -> (key: Int, version: Int)? {
        guard data.count >= 16 else { return nil }
        let numbers = (0..<3).map { index in
            data.dropFirst(index * 4).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        guard data.count == 16 + numbers[2],
            data == body(key: numbers[0], version: numbers[1], length: numbers[2])
        else { return nil }
        return (numbers[0], numbers[1])
    }
}
