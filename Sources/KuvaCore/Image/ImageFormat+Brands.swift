extension ImageFormat {
    /// Brands that name a coding, with its format. Sequences have brands of their own.
    private static let codings: [String: ImageFormat] = [
        "avif": .avif, "avis": .avis, "jxl ": .jpegXL,
        "heic": .heic, "heix": .heic, "heim": .heic, "heis": .heic,
        "hevc": .heic, "hevx": .heic, "hevm": .heic, "hevs": .heic,
    ]
    /// Brands that say HEIF and leave the coding open.
    private static let structures: Set<String> = ["mif1", "mif2", "msf1", "miaf", "MiHE", "MiHB"]

    /// A list of brands longer than this is not read.
    private static let maximumBrandBytes = 4096

    /// The format by the brands of an ISO base media file (ISO/IEC 14496-12 §4.3): the major brand decides if it names
    /// a coding; a generic one (`mif1`, `msf1`) leaves it to the compatible brands, all of which must be there.
    static func byBrand(_ bytes: UnsafeRawBufferPointer) -> ImageFormat? {
        guard bytes.count >= 12, bytes[4..<8].elementsEqual("ftyp".utf8), let box = box(in: bytes) else { return nil }
        guard box.header + 4 <= bytes.count else { return nil }
        let major = brand(in: bytes, at: box.header)
        if let format = codings[major] { return format }
        guard bytes.count >= box.end else { return nil }
        // The minor version stands between the major and the compatible brands.
        let compatible = stride(from: box.header + 8, through: box.end - 4, by: 4).map { brand(in: bytes, at: $0) }
        guard structures.contains(major) || compatible.contains(where: structures.contains) else { return nil }
        let formats = compatible.compactMap { codings[$0] }.filter { $0 != .jpegXL }
        // A sequence names the brand of its first picture too, and a still picture that of its burst.
        if major == "msf1", formats.contains(.avis) { return .avis }
        return formats.contains(.avif) ? .avif : formats.first ?? .heif
    }

    /// Where the first box's content begins and ends: its size is 32 bits, or 64 where those say 1, or the rest of the
    /// file where they say 0 (ISO/IEC 14496-12 §4.2).
    private static func box(in bytes: UnsafeRawBufferPointer) -> (header: Int, end: Int)? {
        var size = UInt64(bytes.loadUnaligned(as: UInt32.self).bigEndian)
        var header = 8
        if size == 1 {
            guard bytes.count >= 16 else { return nil }
            size = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self).bigEndian
            header = 16
        } else if size == 0 {
            size = UInt64(bytes.count)
        }
        guard size >= UInt64(header + 8) else { return nil }
        return (header, Int(min(size, UInt64(maximumBrandBytes))))
    }

    private static func brand(in bytes: UnsafeRawBufferPointer, at offset: Int) -> String {
        String(decoding: bytes[offset..<(offset + 4)], as: UTF8.self)
    }
}
