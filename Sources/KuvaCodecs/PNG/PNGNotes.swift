internal import CKuvaPNG
internal import KuvaCore

/// What the text and density chunks of a PNG say (PNG third edition, §11.3.3 and §11.3.4.3). A chunk that breaks the
/// rules is passed over. All texts together keep to the limit of metadata.
struct PNGNotes {
    private(set) var texts: [ImageMetadata.Text] = []
    private(set) var xmp: [UInt8]?
    private(set) var density: ImageMetadata.Density?
    private var byteCount = 0

    static let densityByteCount = 9
    private static let xmpKeyword = "XML:com.adobe.xmp"

    /// Whether there is room for the body of a text chunk.
    func wants(_ chunk: PNGChunkHeader, limits: DecodeLimits) -> Bool {
        chunk.length <= limits.maximumMetadataBytes - byteCount
    }

    mutating func take(_ type: PNGChunkType, _ bytes: [UInt8], limits: DecodeLimits) {
        if type == .density {
            takeDensity(bytes)
            return
        }
        let room = limits.maximumMetadataBytes - byteCount
        guard let end = bytes.prefix(80).firstIndex(of: 0), end > 0, room > 0 else { return }
        let keyword = Self.latin1(bytes[..<end])
        let rest = bytes[(end + 1)...]
        switch type {
        case .text: add(keyword, Self.latin1(rest), rest.count)
        case .compressedText:
            guard rest.first == 0, let text = Self.inflated(rest.dropFirst(), room: room) else { return }
            add(keyword, Self.latin1(text[...]), text.count)
        case .internationalText: takeInternational(keyword, rest, room: room)
        default: break
        }
    }

    private mutating func add(_ keyword: String, _ text: String, _ count: Int) {
        texts.append(ImageMetadata.Text(keyword: keyword, text: text))
        byteCount += count
    }

    /// §11.3.3.4: compressed or not, method 0, language, translated keyword, text in UTF-8.
    private mutating func takeInternational(_ keyword: String, _ bytes: ArraySlice<UInt8>, room: Int) {
        guard bytes.count >= 2, let isCompressed = bytes.first, isCompressed <= 1 else { return }
        let language = bytes.dropFirst(2)
        guard let languageEnd = language.firstIndex(of: 0) else { return }
        let translated = language[(languageEnd + 1)...]
        guard let translatedEnd = translated.firstIndex(of: 0) else { return }
        let body = translated[(translatedEnd + 1)...]
        guard let text = isCompressed == 1 ? Self.inflated(body, room: room) : Array(body) else { return }
        if keyword == Self.xmpKeyword {
            xmp = xmp ?? text
            byteCount += text.count
        } else {
            add(keyword, String(decoding: text, as: UTF8.self), text.count)
        }
    }

    private mutating func takeDensity(_ bytes: [UInt8]) {
        let (x, y) = (bytes.bigEndian32(at: 0), bytes.bigEndian32(at: 4))
        // Unit 1 is the metre; 0 gives the proportions of a pixel only.
        guard bytes[8] == 1, x > 0, y > 0 else { return }
        density = ImageMetadata.Density(horizontal: Double(x) * 0.0254, vertical: Double(y) * 0.0254)
    }

    /// A zlib stream of at most `room` bytes; `nil` for one that is longer.
    private static func inflated(_ stream: ArraySlice<UInt8>, room: Int) -> [UInt8]? {
        // Deflate makes at most 1032 bytes of one.
        let most = min(room, stream.count.multipliedReportingOverflow(by: 1032).partialValue) + 1
        guard most > 1 else { return nil }
        var result = [UInt8](repeating: 0, count: most)
        let got = stream.withUnsafeBufferPointer { kuva_png_inflate_prefix($0.baseAddress, $0.count, &result, most) }
        guard got < most else { return nil }
        result.removeLast(most - got)
        return result
    }

    /// ISO/IEC 8859-1, whose bytes are the first 256 scalars.
    private static func latin1(_ bytes: ArraySlice<UInt8>) -> String {
        String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
