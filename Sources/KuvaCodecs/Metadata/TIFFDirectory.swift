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
        let isBigEndian = bytes.has("MM\0*", at: 0)
        guard isBigEndian || bytes.has("II*\0", at: 0) else { return nil }
        self.init(bytes, isBigEndian: isBigEndian, offsetAt: 4)
    }

    /// The directory whose offset lies at `position`.
    private init?(_ bytes: BoundedBytes, isBigEndian: Bool, offsetAt position: Int) {
        guard let offset = bytes.uint32(at: position, bigEndian: isBigEndian), offset > 0,
            let count = bytes.uint16(at: Int(offset), bigEndian: isBigEndian)
        else { return nil }
        self.bytes = bytes
        self.isBigEndian = isBigEndian
        firstEntry = Int(offset) + 2
        // The block may end sooner than its count says; what lies inside is still good.
        entryCount = min(Int(count), (bytes.count - firstEntry) / Self.entrySize)
    }

    /// The directory after this one, which in EXIF is that of the thumbnail.
    var next: TIFFDirectory? {
        TIFFDirectory(bytes, isBigEndian: isBigEndian, offsetAt: firstEntry + entryCount * Self.entrySize)
    }

    /// The fraction in the first entry with `tag`, if it is one unsigned fraction (type 5) and its divisor is not 0.
    func fraction(ofTag tag: UInt16) -> Double? {
        guard let entry = entry(ofTag: tag), bytes.uint16(at: entry + 2, bigEndian: isBigEndian) == 5,
            bytes.uint32(at: entry + 4, bigEndian: isBigEndian) == 1,
            let offset = bytes.uint32(at: entry + 8, bigEndian: isBigEndian).map(Int.init),
            let dividend = bytes.uint32(at: offset, bigEndian: isBigEndian),
            let divisor = bytes.uint32(at: offset + 4, bigEndian: isBigEndian), divisor != 0
        else { return nil }
        return Double(dividend) / Double(divisor)
    }

    /// Bytes of the block by offset, as entries name them.
    func slice(_ offset: Int, count: Int) -> UnsafeRawBufferPointer? {
        let (end, overflow) = offset.addingReportingOverflow(count)
        guard offset >= 0, count >= 0, !overflow else { return nil }
        return bytes.slice(offset..<end)
    }

    private func entry(ofTag tag: UInt16) -> Int? {
        for index in 0..<entryCount {
            let entry = firstEntry + index * Self.entrySize
            if bytes.uint16(at: entry, bigEndian: isBigEndian) == tag { return entry }
        }
        return nil
    }

    /// The number in the first entry with `tag`, if it is one unsigned integer that lies in the entry itself.
    func unsignedValue(ofTag tag: UInt16) -> Int? {
        guard let entry = entry(ofTag: tag), bytes.uint32(at: entry + 4, bigEndian: isBigEndian) == 1 else {
            return nil
        }
        switch bytes.uint16(at: entry + 2, bigEndian: isBigEndian) {
        case 1: return bytes.uint8(at: entry + 8).map(Int.init)
        case 3: return bytes.uint16(at: entry + 8, bigEndian: isBigEndian).map(Int.init)
        case 4: return bytes.uint32(at: entry + 8, bigEndian: isBigEndian).map(Int.init)
        default: return nil
        }
    }
}
