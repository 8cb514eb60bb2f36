/// Where the metadata of a JPEG lies: the marker segments before its first scan (ITU-T T.81, B.1.1).
///
/// Markers are found as libjpeg finds them: what is no marker is passed over. Each byte is looked at once and nothing
/// is copied.
struct JPEGSegments {
    /// The EXIF block: the TIFF header and what follows it in the first APP1 segment that says `Exif`.
    private(set) var exif: Range<Int>?
    /// The pieces of the ICC profile in their order (ICC.1, annex B.4); empty where one is missing or comes twice.
    private(set) var iccProfile: [Range<Int>] = []

    /// - Parameter file: the file as far as it has come, with the whole header.
    init(of file: UnsafeRawBufferPointer) {
        let bytes = BoundedBytes(file)
        var profile = ICCPieces()
        var position = 2
        while let marker = Self.nextMarker(in: bytes, from: &position) {
            if marker == 0x01 || (0xD0...0xD8).contains(marker) { continue }
            guard marker != 0xD9, marker != 0xDA,
                let length = bytes.uint16(at: position, bigEndian: true), length >= 2,
                position + Int(length) <= bytes.count
            else { break }
            let payload = position + 2..<position + Int(length)
            position = payload.upperBound
            if marker == 0xE1, exif == nil, payload.count >= 6, bytes.has("Exif\0", at: payload.lowerBound) {
                exif = payload.lowerBound + 6..<payload.upperBound
            } else if marker == 0xE2, payload.count >= 14, bytes.has("ICC_PROFILE\0", at: payload.lowerBound) {
                profile.add(
                    payload.lowerBound + 14..<payload.upperBound,
                    number: bytes.uint8(at: payload.lowerBound + 12),
                    of: bytes.uint8(at: payload.lowerBound + 13)
                )
            }
        }
        iccProfile = profile.inOrder
    }

    /// Bytes of the ICC profile; 0 if there is none.
    var iccProfileByteCount: Int { iccProfile.reduce(0) { $0 + $1.count } }

    private static func nextMarker(in bytes: BoundedBytes, from position: inout Int) -> UInt8? {
        var sawFill = false
        while let byte = bytes.uint8(at: position) {
            position += 1
            if sawFill, byte != 0xFF, byte != 0 { return byte }
            sawFill = byte == 0xFF
        }
        return nil
    }
}

/// The pieces of an ICC profile that is spread over segments.
private struct ICCPieces {
    private var pieces: [UInt8: Range<Int>] = [:]
    private var total: UInt8?
    private var isBroken = false

    mutating func add(_ range: Range<Int>, number: UInt8?, of count: UInt8?) {
        guard let number, let count, number >= 1, number <= count, pieces[number] == nil, total ?? count == count
        else {
            isBroken = true
            return
        }
        total = count
        pieces[number] = range
    }

    var inOrder: [Range<Int>] {
        guard !isBroken, let total, pieces.count == Int(total) else { return [] }
        return (1...total).compactMap { pieces[$0] }
    }
}
