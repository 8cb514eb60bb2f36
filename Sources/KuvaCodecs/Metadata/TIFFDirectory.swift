/// One image file directory of a TIFF structure (TIFF 6.0, section 2), the shape of all EXIF data.
struct TIFFDirectory {
    private let bytes: BoundedBytes
    private let isBigEndian: Bool
    private let firstEntry: Int
    private let entryCount: Int

    private static let entrySize = 12

    /// The first directory of a block that starts with a TIFF header, with or without EXIF's `Exif\0\0` before it;
    /// `nil` where there is none.
    init?(firstIn block: UnsafeRawBufferPointer) {
        var bytes = BoundedBytes(block)
        if bytes.has("Exif\0\0", at: 0), let rest = bytes.slice(6..<bytes.count) { bytes = BoundedBytes(rest) }
        if bytes.has("II*\0", at: 0) {
            isBigEndian = false
        } else if bytes.has("MM\0*", at: 0) {
            isBigEndian = true
        } else {
            return nil
        }
        guard let offset = bytes.uint32(at: 4, bigEndian: isBigEndian),
            let count = bytes.uint16(at: Int(offset), bigEndian: isBigEndian)
        else { return nil }
        self.bytes = bytes
        firstEntry = Int(offset) + 2
        // The block may end sooner than its count says; what lies inside is still good.
        entryCount = min(Int(count), (bytes.count - firstEntry) / Self.entrySize)
    }

    /// The number in the first entry with `tag`, if it is one unsigned integer that lies in the entry itself.
    func unsignedValue(ofTag tag: UInt16) -> Int? {
        for index in 0..<entryCount {
            let entry = firstEntry + index * Self.entrySize
            guard bytes.uint16(at: entry, bigEndian: isBigEndian) == tag else { continue }
            guard bytes.uint32(at: entry + 4, bigEndian: isBigEndian) == 1 else { return nil }
            switch bytes.uint16(at: entry + 2, bigEndian: isBigEndian) {
            case 1: return bytes.uint8(at: entry + 8).map(Int.init)
            case 3: return bytes.uint16(at: entry + 8, bigEndian: isBigEndian).map(Int.init)
            case 4: return bytes.uint32(at: entry + 8, bigEndian: isBigEndian).map(Int.init)
            default: return nil
            }
        }
        return nil
    }
}
