internal import KuvaCore

/// What Kuva reads from an EXIF block (CIPA DC-008), such as the one of JPEG's APP1 segment, PNG's `eXIf` chunk and
/// WebP's `EXIF` chunk.
///
/// The reader follows no link but those to the first two directories and looks at each entry that lies inside the block
/// once, so no block makes it loop or read past its end.
enum EXIF {
    /// The orientation (tag 0x0112) that a block says, or `.up` where it says none or none that exists.
    ///
    /// - Parameter block: a TIFF header with its directories, with or without `Exif` and two zero bytes before it.
    static func orientation(in block: UnsafeRawBufferPointer) -> Orientation {
        guard let directory = TIFFDirectory(firstIn: block),
            let value = directory.unsignedValue(ofTag: 0x0112),
            let orientation = Orientation(rawValue: value)
        else { return .up }
        return orientation
    }

    /// Pixels an inch (tags 0x011A, 0x011B and 0x0128), or `nil` where the block gives no unit of length.
    static func density(in block: UnsafeRawBufferPointer) -> ImageMetadata.Density? {
        guard let directory = TIFFDirectory(firstIn: block), let horizontal = directory.fraction(ofTag: 0x011A),
            let vertical = directory.fraction(ofTag: 0x011B), horizontal > 0, vertical > 0
        else { return nil }
        // TIFF 6.0, section 8: inches where nothing is said, 3 is centimetres.
        switch directory.unsignedValue(ofTag: 0x0128) ?? 2 {
        case 2: return ImageMetadata.Density(horizontal: horizontal, vertical: vertical)
        case 3: return ImageMetadata.Density(horizontal: horizontal * 2.54, vertical: vertical * 2.54)
        default: return nil
        }
    }

    /// The JPEG file in the second directory (tags 0x0201 and 0x0202).
    static func thumbnail(in block: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard let directory = TIFFDirectory(firstIn: block)?.next,
            let offset = directory.unsignedValue(ofTag: 0x0201), let count = directory.unsignedValue(ofTag: 0x0202),
            let file = directory.slice(offset, count: count), file.count > 4, file[0] == 0xFF, file[1] == 0xD8
        else { return nil }
        return file
    }
}
