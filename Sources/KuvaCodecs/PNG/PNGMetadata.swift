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
    private(set) var profileByteCount = 0
    private var paletteCount = 0
    private var paletteHasAlpha = false

    init(header: PNGHeader) { self.header = header }

    var hasAlpha: Bool { header.colour.hasAlpha || key != nil || paletteHasAlpha }

    /// Whether the metadata want the body of a chunk; others are passed over without being held.
    func wants(_ chunk: PNGChunkHeader, limits: DecodeLimits) -> Bool {
        switch chunk.type {
        case .palette: chunk.length <= 768
        case .transparency: chunk.length <= 256
        case .animation, .frame: chunk.length <= PNGFrameControl.byteCount
        case .exif, .profile: chunk.length <= limits.maximumMetadataBytes
        default: false
        }
    }

    /// Takes the body of a chunk that came before the image data.
    ///
    /// A chunk that breaks the rules is passed over where the picture can be shown without it, as libpng does.
    ///
    /// - Throws: `corrupt-image` for a palette that cannot be used, `limit-exceeded` for too many frames.
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
        case .exif: orientation = bytes.withUnsafeBytes { EXIF.orientation(in: $0) }
        case .profile: profileByteCount = Self.profileByteCount(bytes, limits: limits)
        default: break
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

    /// The size that the profile says in its first four bytes (ICC.1:2022 §7.2.2); nothing else is inflated.
    private static func profileByteCount(_ bytes: [UInt8], limits: DecodeLimits) -> Int {
        // §11.3.2.3: a name of 1 to 79 bytes, a zero, the compression method 0, then a zlib stream.
        guard let nameEnd = bytes.prefix(80).firstIndex(of: 0), nameEnd + 2 < bytes.count, bytes[nameEnd + 1] == 0
        else {
            return 0
        }
        var size = [UInt8](repeating: 0, count: 4)
        let count = bytes.withUnsafeBufferPointer { buffer in
            let stream = UnsafeBufferPointer(rebasing: buffer[(nameEnd + 2)...])
            return kuva_png_inflate_prefix(stream.baseAddress, stream.count, &size, 4)
        }
        return count == 4 ? Swift.min(Int(size.bigEndian32(at: 0)), limits.maximumMetadataBytes) : 0
    }
}
