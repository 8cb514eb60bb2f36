extension ImageFormat {
    private static let avifStill = ["avif"]
    private static let avifSequence = ["avis"]
    private static let heicBrands = ["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs"]
    private static let heifBrands = ["mif1", "mif2", "msf1", "miaf", "MiHE", "MiHB"]

    /// The format by the brands of an ISO base media file (ISO/IEC 14496-12 §4.3): the major brand decides if it names
    /// a coding; a generic one (`mif1`, `msf1`) leaves it to the compatible brands.
    static func byBrand(_ bytes: UnsafeRawBufferPointer) -> ImageFormat? {
        guard bytes.count >= 12, bytes[4..<8].elementsEqual("ftyp".utf8) else { return nil }
        let boxSize = Int(bytes.loadUnaligned(as: UInt32.self).bigEndian)
        let end = min(bytes.count, boxSize, 1024)
        guard let major = brand(in: bytes, at: 8) else { return nil }
        var compatible: [String] = []
        var offset = 16
        while offset + 4 <= end {
            if let brand = brand(in: bytes, at: offset) { compatible.append(brand) }
            offset += 4
        }
        if let format = coding([major]) { return format }
        guard heifBrands.contains(major) || compatible.contains(where: heifBrands.contains) else { return nil }
        if major == "msf1", compatible.contains(where: avifSequence.contains) { return .avis }
        return coding(compatible) ?? .heif
    }

    private static func coding(_ brands: [String]) -> ImageFormat? {
        if brands.contains(where: avifStill.contains) { return .avif }
        if brands.contains(where: avifSequence.contains) { return .avis }
        if brands.contains(where: heicBrands.contains) { return .heic }
        if brands.first == "jxl " { return .jpegXL }
        return nil
    }

    private static func brand(in bytes: UnsafeRawBufferPointer, at offset: Int) -> String? {
        let characters = bytes[offset..<(offset + 4)]
        guard characters.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
        return String(decoding: characters, as: UTF8.self)
    }
}
