/// Bytes of a file drawn by hand, numbers least significant byte first.
enum LittleEndian {
    static func words(_ values: Int...) -> [UInt8] { values.flatMap { bytes(of: $0, count: 2) } }
    static func longs(_ values: Int...) -> [UInt8] { values.flatMap { bytes(of: $0, count: 4) } }

    private static func bytes(of value: Int, count: Int) -> [UInt8] {
        (0..<count).map { index -> UInt8 in UInt8(truncatingIfNeeded: value >> (index * 8)) }
    }
}
