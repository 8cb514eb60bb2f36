internal import CKuvaPNG
internal import KuvaCore

/// What the chunks before the image data say.
struct PNGMetadata {
    /// One colour that is transparent, as three samples in the file's depth.
    struct Key {
        var red: UInt16
        var green: UInt16
        var blue: UInt16
    }

    let header: PNGHeader
    /// 256 RGBA pixels; entries that the file does not have are black, as libpng and the browsers have it.
    private(set) var palette: [UInt8]?
    private(set) var key: Key?
    /// Frames and plays of an animation, as the acTL chunk claims.
    private(set) var animation: (frameCount: Int, loopCount: Int)?
    private(set) var frameControl: PNGFrameControl?
    private(set) var orientation = Orientation.up
    private(set) var colour = PNGColour()
    private(set) var exif: [UInt8]?
    private(set) var notes = PNGNotes()
    private var paletteCount = 0
    private var paletteHasAlpha = false

    init(header: PNGHeader) { self.header = header }

    /// What the colours mean.
    var colourDescription: ColourDescription {
        colour.description(isGrey: header.colour == .grey || header.colour == .greyAlpha)
    }

    var hasAlpha: Bool { header.colour.hasAlpha || key != nil || paletteHasAlpha }

    /// Whether the metadata want the body of a chunk; others are passed over without being held.
    func wants(_ chunk: PNGChunkHeader, limits: DecodeLimits) -> Bool {
        switch chunk.type {
        case .palette: chunk.length <= 768
        case .transparency: chunk.length <= 256
        case .animation, .frame: chunk.length <= PNGFrameControl.byteCount
        case .exif, .profile: chunk.length <= limits.maximumMetadataBytes
        case .text, .compressedText, .internationalText: notes.wants(chunk, limits: limits)
        case .density: chunk.length == PNGNotes.densityByteCount
        case .codePoints, .sRGB, .gamma, .chromaticities: chunk.length <= 32
        default: false
        }
    }

    /// Takes the body of a chunk that came before the image data.
    ///
    /// A chunk that breaks the rules is passed over where the picture can be shown without it, as libpng does.
    ///
    /// - Throws: `corrupt-image` for a palette that cannot be used, `limit-exceeded` for too many frames or too long a
    ///   profile.
    mutating func take(
        _ type: PNGChunkType,
        _ bytes: [UInt8],
        limits: DecodeLimits
    ) throws(ImageError) {
        switch type {
        case .palette: try takePalette(bytes)
        case .transparency: takeTransparency(bytes)
        case .animation: try takeAnimation(bytes, limits: limits)
        case .frame: frameControl = PNGFrameControl(bytes, canvas: header.size)
        case .exif:
            orientation = bytes.withUnsafeBytes { EXIF.orientation(in: $0) }
            exif = bytes
        case .text, .compressedText, .internationalText, .density: notes.take(type, bytes, limits: limits)
        case .profile: colour.profile = try Self.profile(bytes, limits: limits)
        default: colour.take(type, bytes)
        }
    }

    private mutating func takePalette(_ bytes: [UInt8]) throws(ImageError) {
        // RGB pictures may suggest one; grey ones must not have one.
        guard header.colour == .palette else { return }
        guard palette == nil, !bytes.isEmpty, bytes.count % 3 == 0 else {
            throw PNGChunkReader.corrupt("the palette has \(bytes.count) bytes, or comes twice")
        }
        // §11.2.2: no more entries than the bit depth can name; libpng drops the rest.
        paletteCount = Swift.min(bytes.count / 3, 1 << Int(header.bitDepth))
        var pixels = [UInt8](repeating: 0, count: 1024)
        for index in 0..<256 {
            if index < paletteCount {
                pixels.replaceSubrange((4 * index)..<(4 * index + 3), with: bytes[(3 * index)..<(3 * index + 3)])
            }
            pixels[4 * index + 3] = 255
        }
        palette = pixels
    }

    private mutating func takeTransparency(_ bytes: [UInt8]) {
        switch header.colour {
        case .palette:
            guard !bytes.isEmpty, bytes.count <= paletteCount else { return }
            for (index, alpha) in bytes.enumerated() { palette?[4 * index + 3] = alpha }
            paletteHasAlpha = bytes.contains { $0 != 255 }
        case .grey where bytes.count == 2:
            let grey = bytes.bigEndian16(at: 0)
            key = Key(red: grey, green: grey, blue: grey)
        case .rgb where bytes.count == 6:
            key = Key(red: bytes.bigEndian16(at: 0), green: bytes.bigEndian16(at: 2), blue: bytes.bigEndian16(at: 4))
        default: break
        }
    }

    private mutating func takeAnimation(_ bytes: [UInt8], limits: DecodeLimits) throws(ImageError) {
        guard bytes.count == 8, bytes.bigEndian32(at: 0) > 0 else { return }
        let count = Int(bytes.bigEndian32(at: 0))
        guard count <= limits.maximumFrameCount else {
            throw DecodeLimits.exceeded(
                "the file claims \(count) frames, more than \(limits.maximumFrameCount)",
                "maximumFrameCount"
            )
        }
        animation = (count, Int(bytes.bigEndian32(at: 4)))
    }

    /// The profile of an iCCP chunk; `nil` for one that breaks the rules.
    ///
    /// - Throws: `limit-exceeded` for a profile that says, in its first four bytes (ICC.1:2022 §7.2.2), that it is longer
    ///   than the limit; nothing else of it is inflated then.
    private static func profile(_ bytes: [UInt8], limits: DecodeLimits) throws(ImageError) -> [UInt8]? {
        // §11.3.2.3: a name of 1 to 79 bytes, a zero, the compression method 0, then a zlib stream.
        guard let nameEnd = bytes.prefix(80).firstIndex(of: 0), nameEnd + 2 < bytes.count, bytes[nameEnd + 1] == 0,
            let start = inflated(bytes[(nameEnd + 2)...], count: 4)
        else {
            return nil
        }
        let count = Int(start.bigEndian32(at: 0))
        try limits.check(profileByteCount: count)
        return inflated(bytes[(nameEnd + 2)...], count: count)
    }

    /// The first `count` bytes of a zlib stream; `nil` if it has fewer.
    static func inflated(_ stream: ArraySlice<UInt8>, count: Int) -> [UInt8]? {
        guard count > 0 else { return nil }
        var result = [UInt8](repeating: 0, count: count)
        let got = stream.withUnsafeBufferPointer { buffer in
            kuva_png_inflate_prefix(buffer.baseAddress, buffer.count, &result, count)
        }
        return got == count ? result : nil
    }
}
