internal import FoundationEssentials
internal import Kuva

/// Which entries `kuva cache list` prints.
struct CacheEntryFilter: Sendable {
    var host: String?
    var format: String?
    var unusedDays: Double?

    func matches(_ entry: DiskCache.Entry, _ line: CacheEntryLine) -> Bool {
        if let host, line.host != host.lowercased() { return false }
        if let format, line.format != format.lowercased() { return false }
        if let unusedDays, line.daysUnused < unusedDays { return false }
        return true
    }
}

/// An entry as people and programs read it.
struct CacheEntryLine: Encodable {
    let url: String
    let variant: String
    let host: String
    let format: String
    let bytes: Int
    let diskBytes: Int
    let storedAt: String
    let usedAt: String
    let daysUnused: Double
    let status: Int?
    let mediaType: String?
    let etag: String?
    let path: String

    init(_ entry: DiskCache.Entry, now: Date) {
        url = entry.key.original
        variant = entry.key.variant
        host = Self.host(of: entry.key.original)
        format = entry.formatName.isEmpty ? "unknown" : entry.formatName
        bytes = entry.byteCount
        diskBytes = entry.diskByteCount
        storedAt = entry.storedAt.formatted(.iso8601)
        usedAt = entry.usedAt.formatted(.iso8601)
        daysUnused = max(0, (now.timeIntervalSince(entry.usedAt) / 86_400 * 10).rounded() / 10)
        status = entry.response?.status
        mediaType = entry.response?.mediaType
        etag = entry.response?.fields.values(of: "ETag").last
        path = entry.path
    }

    /// The host of a URL, in lower case; `-` for a key that is none.
    static func host(of original: String) -> String {
        URL(string: original)?.host()?.lowercased() ?? "-"
    }

    /// One line of `kuva cache list`.
    var text: String { "\(format)  \(bytes)  \(daysUnused)  \(url)\(variant.isEmpty ? "" : "  \(variant)")" }

    /// The lines of `kuva cache show`.
    var description: [String] {
        var lines = ["url      \(url)"]
        if !variant.isEmpty { lines.append("variant  \(variant)") }
        lines += ["format   \(format)", "bytes    \(bytes)", "stored   \(storedAt)", "used     \(usedAt)"]
        if let status { lines.append("status   \(status)") }
        if let mediaType { lines.append("type     \(mediaType)") }
        if let etag { lines.append("etag     \(etag)") }
        return lines + ["file     \(path)"]
    }

    var json: String { JSONText.line(self) }
}

/// Values as one line of JSON.
enum JSONText {
    static func line(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Text and finite numbers always have a JSON form.
        guard let data = try? encoder.encode(value) else { return "{}" }
        return String(decoding: data, as: UTF8.self)
    }
}
