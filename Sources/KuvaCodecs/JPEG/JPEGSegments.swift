internal import KuvaCore

/// Where the metadata of a JPEG lies: the marker segments before its first scan (ITU-T T.81, B.1.1).
///
/// Markers are found as libjpeg finds them: what is no marker is passed over. Each byte is looked at once and nothing
/// is copied.
struct JPEGSegments {
    /// The EXIF block: the TIFF header and what follows it in the first APP1 segment that says `Exif`.
    private(set) var exif: Range<Int>?
    /// The XMP packet: what follows its name in the first APP1 segment that has it (ISO 16684-3, 6.1.2).
    private(set) var xmp: Range<Int>?
    /// The resources of Adobe's programs: what follows their name in the first APP13 segment that has it.
    private(set) var photoshop: Range<Int>?
    /// The comments (T.81, B.2.4.5).
    private(set) var comments: [Range<Int>] = []
    /// Pixels an inch by the JFIF marker (ITU-T T.871, 10.1).
    private(set) var density: ImageMetadata.Density?
    /// The pieces of the ICC profile in their order (ICC.1, annex B.4); empty where one is missing or comes twice.
    private(set) var iccProfile: [Range<Int>] = []
    /// Whether a segment says that there is a gain map: one of ISO 21496-1, whose name is a URN.
    private(set) var hasGainMapSegment = false

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
            if marker == 0xE0, density == nil, payload.count >= 12, bytes.has("JFIF\0", at: payload.lowerBound) {
                density = Self.density(at: payload.lowerBound + 7, in: bytes)
            } else if marker == 0xFE {
                comments.append(payload)
            } else if marker == 0xE1, xmp == nil, payload.count >= Self.xmpName.utf8CodeUnitCount,
                bytes.has(Self.xmpName, at: payload.lowerBound)
            {
                xmp = payload.lowerBound + Self.xmpName.utf8CodeUnitCount..<payload.upperBound
            } else if marker == 0xED, photoshop == nil, payload.count >= Self.photoshopName.utf8CodeUnitCount,
                bytes.has(Self.photoshopName, at: payload.lowerBound)
            {
                photoshop = payload.lowerBound + Self.photoshopName.utf8CodeUnitCount..<payload.upperBound
            } else if marker == 0xE1, exif == nil, payload.count >= 6, bytes.has("Exif\0", at: payload.lowerBound) {
                exif = payload.lowerBound + 6..<payload.upperBound
            } else if marker == 0xE2, payload.count >= Self.gainMapName.utf8CodeUnitCount,
                bytes.has(Self.gainMapName, at: payload.lowerBound)
            {
                hasGainMapSegment = true
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

    private static let xmpName: StaticString = "http://ns.adobe.com/xap/1.0/\0"
    private static let gainMapName: StaticString = "urn:iso:std:iso:ts:21496:-1\0"
    private static let photoshopName: StaticString = "Photoshop 3.0\0"

    private static func density(at offset: Int, in bytes: BoundedBytes) -> ImageMetadata.Density? {
        guard let unit = bytes.uint8(at: offset), let x = bytes.uint16(at: offset + 1, bigEndian: true),
            let y = bytes.uint16(at: offset + 3, bigEndian: true), x > 0, y > 0, unit == 1 || unit == 2
        else { return nil }
        let factor = unit == 1 ? 1 : 2.54
        return ImageMetadata.Density(horizontal: Double(x) * factor, vertical: Double(y) * factor)
    }

    /// The IPTC records among the resources of Adobe's programs: number 0x0404 (Adobe Photoshop File Formats, Image
    /// Resources Section).
    func iptc(in file: UnsafeRawBufferPointer) -> Range<Int>? {
        guard let photoshop else { return nil }
        let bytes = BoundedBytes(file)
        var position = photoshop.lowerBound
        while position + 12 <= photoshop.upperBound, bytes.has("8BIM", at: position) {
            guard let number = bytes.uint16(at: position + 4, bigEndian: true),
                let nameLength = bytes.uint8(at: position + 6)
            else { return nil }
            // Name and data are padded to even lengths, the name with its length byte.
            let sizeOffset = position + 6 + (Int(nameLength) + 2) / 2 * 2
            guard let size = bytes.uint32(at: sizeOffset, bigEndian: true).map(Int.init),
                sizeOffset + 4 + size <= photoshop.upperBound
            else { return nil }
            if number == 0x0404 { return sizeOffset + 4..<sizeOffset + 4 + size }
            position = sizeOffset + 4 + (size + 1) / 2 * 2
        }
        return nil
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
