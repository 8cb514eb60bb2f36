internal import FoundationEssentials
internal import Kuva

/// What a file says about its picture, as `kuva info` tells it.
struct FileInfo: Sendable {
    /// The file or URL as the user named it.
    let source: String
    let info: ImageInfo
    var byteCount: Int64
    /// What the file says beside its pixels, as far as it was read.
    var metadata = ImageMetadata()
    /// The frames of an animation.
    var frames: FrameList?

    /// Lines for people: one, and one more for each frame, or run of equal frames, of an animation.
    var lines: [String] { [text] + (frames?.lines ?? []) }

    private var text: String {
        var parts = ["\(info.format)", "\(info.uprightSize)"]
        if !info.pixelDescription.isEmpty { parts.append(info.pixelDescription) }
        if info.bitsPerChannel != 8 { parts.append("\(info.bitsPerChannel)-bit") }
        if info.hasAlpha { parts.append("alpha") }
        if info.frameCount != 1 { parts.append("\(info.frameCount) frames") }
        if let stored = info.loopCount {
            switch info.format.lapCount(forStored: stored) {
            case nil: parts.append("loops for ever")
            case 1?: parts.append("plays once")
            case let laps?: parts.append("plays \(laps) times")
            }
        }
        if info.orientation != .up {
            parts.append("stored \(info.storedSize) with orientation \(info.orientation.rawValue)")
        }
        if info.iccProfileByteCount > 0 { parts.append("ICC profile of \(info.iccProfileByteCount) bytes") }
        if let density = metadata.density { parts.append(Self.text(density)) }
        for block in blocks { parts.append("\(block.name) of \(block.bytes.count) bytes") }
        if !metadata.texts.isEmpty { parts.append("texts: \(metadata.texts.map(\.keyword).joined(separator: ", "))") }
        parts.append("\(byteCount) bytes")
        return "\(source): \(parts.joined(separator: ", "))"
    }

    private var blocks: [(name: String, bytes: Data)] {
        let all: [(String, Data?)] = [
            ("EXIF", metadata.exif), ("XMP", metadata.xmp), ("IPTC", metadata.iptc), ("thumbnail", metadata.thumbnail),
        ]
        return all.compactMap { name, bytes in bytes.map { (name, $0) } }
    }

    /// Such as `72 dpi`, or `300x150 dpi` where the two differ.
    private static func text(_ density: ImageMetadata.Density) -> String {
        let (x, y) = (rounded(density.horizontal), rounded(density.vertical))
        return x == y ? "\(x) dpi" : "\(x)x\(y) dpi"
    }

    private static func rounded(_ value: Double) -> Int { Int(exactly: value.rounded()) ?? .max }

    /// One line of JSON for programs.
    var json: String {
        let record = Record(
            source: source,
            format: info.format.name,
            mediaType: info.format.mediaType,
            width: info.uprightSize.width,
            height: info.uprightSize.height,
            storedWidth: info.storedSize.width,
            storedHeight: info.storedSize.height,
            orientation: info.orientation.rawValue,
            frames: info.frameCount,
            frameList: frames?.records,
            loops: info.loopCount,
            bitsPerChannel: info.bitsPerChannel,
            alpha: info.hasAlpha,
            pixels: info.pixelDescription,
            iccProfileBytes: info.iccProfileByteCount,
            dpi: metadata.density.map { [$0.horizontal, $0.vertical] },
            exifBytes: metadata.exif?.count,
            xmpBytes: metadata.xmp?.count,
            iptcBytes: metadata.iptc?.count,
            thumbnailBytes: metadata.thumbnail?.count,
            texts: metadata.texts.isEmpty
                ? nil : metadata.texts.map { Record.Text(keyword: $0.keyword, text: $0.text) },
            bytes: byteCount
        )
        return JSONText.line(record)
    }

    private struct Record: Encodable {
        let source: String
        let format: String
        let mediaType: String
        let width: Int
        let height: Int
        let storedWidth: Int
        let storedHeight: Int
        let orientation: Int
        let frames: Int
        /// Left out for a still picture.
        let frameList: [FrameList.Record]?
        /// Left out where the picture does not say or does not move.
        let loops: Int?
        let bitsPerChannel: Int
        let alpha: Bool
        let pixels: String
        let iccProfileBytes: Int
        /// Across and down.
        let dpi: [Double]?
        let exifBytes: Int?
        let xmpBytes: Int?
        let iptcBytes: Int?
        let thumbnailBytes: Int?
        let texts: [Text]?
        let bytes: Int64

        struct Text: Encodable {
            let keyword: String
            let text: String
        }
    }
}
