import KuvaCore
import Testing

@testable import KuvaCodecs

@Suite("EXIF orientation")
struct EXIFTests {
    private func orientation(_ block: [UInt8]) -> Orientation {
        block.withUnsafeBytes { EXIF.orientation(in: $0) }
    }

    /// One directory with an ImageWidth entry before the orientation, drawn by hand after TIFF 6.0, section 2.
    private func block(
        _ value: UInt8,
        big: Bool,
        type: UInt8 = 3,
        count: UInt8 = 1,
        prefix: Bool = false
    ) -> [UInt8] {
        func u16(_ low: UInt8, _ high: UInt8 = 0) -> [UInt8] { big ? [high, low] : [low, high] }
        func u32(_ low: UInt8) -> [UInt8] { big ? [0, 0, 0, low] : [low, 0, 0, 0] }
        var bytes: [UInt8] = prefix ? Array("Exif\0\0".utf8) : []
        bytes += Array((big ? "MM" : "II").utf8) + u16(42) + u32(8) + u16(2)
        bytes += u16(0x00, 0x01) + u16(4) + u32(1) + u32(200)
        bytes += u16(0x12, 0x01) + u16(type) + u32(count)
        bytes += type == 3 ? u16(value) + u16(0) : type == 1 ? [value, 0, 0, 0] : u32(value)
        return bytes + u32(0)
    }

    @Test(arguments: 1...8) func bothByteOrdersAndPrefix(value: Int) {
        for big in [false, true] {
            for prefix in [false, true] {
                for type: UInt8 in [1, 3, 4] {
                    let bytes = block(UInt8(value), big: big, type: type, prefix: prefix)
                    #expect(orientation(bytes).rawValue == value)
                }
            }
        }
    }

    @Test func valuesThatDoNotExistAreUp() {
        for value: UInt8 in [0, 9, 255] { #expect(orientation(block(value, big: false)) == .up) }
        #expect(orientation(block(6, big: true, type: 5)) == .up, "a rational is no orientation")
        #expect(orientation(block(6, big: true, count: 2)) == .up, "two values are no orientation")
        #expect(orientation([]) == .up)
        #expect(orientation(Array("II*\0".utf8)) == .up)
        #expect(orientation(Array("XX*\0\u{8}\0\0\0\u{1}\0".utf8)) == .up)
    }

    @Test func everyPrefixIsReadInsideItsBounds() {
        let whole = block(6, big: false, prefix: true)
        // The value's last byte is at 6 + 8 + 2 + 12 + 9 = 37; the entry must be there as a whole, to byte 40.
        for length in 0...whole.count {
            #expect(orientation(Array(whole[..<length])) == (length >= 40 ? .right : .up), "\(length) bytes")
        }
    }

    @Test func liesAboutOffsetsAndCounts() {
        var far = block(6, big: false)
        far.replaceSubrange(4..<8, with: [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(orientation(far) == .up)
        var last = block(6, big: false)
        last.replaceSubrange(4..<8, with: [UInt8(last.count - 1), 0, 0, 0])
        #expect(orientation(last) == .up)
        var own = block(6, big: false)
        own.replaceSubrange(4..<8, with: [0, 0, 0, 0])
        #expect(orientation(own) == .up, "a directory on top of the header")
        var many = block(6, big: false)
        many.replaceSubrange(8..<10, with: [0xFF, 0xFF])
        #expect(orientation(many) == .right, "65,535 entries are promised, two are there")
    }
}
