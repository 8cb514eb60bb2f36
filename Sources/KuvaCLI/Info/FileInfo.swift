internal import FoundationEssentials
internal import Kuva

/// What a file says about its picture, as `kuva info` tells it.
struct FileInfo: Sendable {
    /// The file or URL as the user named it.
    let source: String
    let info: ImageInfo
    let byteCount: Int64

    /// One line for people.
    var text: String {
        var parts = ["\(info.format)", "\(info.uprightSize)"]
        if !info.pixelDescription.isEmpty { parts.append(info.pixelDescription) }
        if info.bitsPerChannel != 8 { parts.append("\(info.bitsPerChannel)-bit") }
        if info.hasAlpha { parts.append("alpha") }
        if info.frameCount != 1 { parts.append("\(info.frameCount) frames") }
        switch info.loopCount {
        case .some(0): parts.append("loops for ever")
        case .some(1): parts.append("plays once")
        case .some(let count): parts.append("plays \(count) times")
        case .none: break
        }
        if info.orientation != .up {
            parts.append("stored \(info.storedSize) with orientation \(info.orientation.rawValue)")
        }
        if info.iccProfileByteCount > 0 { parts.append("ICC profile of \(info.iccProfileByteCount) bytes") }
        parts.append("\(byteCount) bytes")
        return "\(source): \(parts.joined(separator: ", "))"
    }

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
            loops: info.loopCount,
            bitsPerChannel: info.bitsPerChannel,
            alpha: info.hasAlpha,
            pixels: info.pixelDescription,
            iccProfileBytes: info.iccProfileByteCount,
            bytes: byteCount
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Text and whole numbers always have a JSON form.
        guard let data = try? encoder.encode(record) else { return "{}" }
        return String(decoding: data, as: UTF8.self)
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
        /// Left out where the picture does not say or does not move.
        let loops: Int?
        let bitsPerChannel: Int
        let alpha: Bool
        let pixels: String
        let iccProfileBytes: Int
        let bytes: Int64
    }
}
