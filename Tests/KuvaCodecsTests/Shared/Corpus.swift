import Foundation
import Testing

/// The picture corpus that `KUVA_CORPUS` names: files from many sources with reference hashes in `index.tsv` files.
/// Tests that read it are skipped where the variable is not set.
enum Corpus {
    struct Entry: Sendable, CustomTestStringConvertible {
        let path: String
        private let fields: [String: String]

        init(_ fields: [String: String]) {
            self.fields = fields
            path = fields["path"] ?? ""
        }

        subscript(column: String) -> String { fields[column] ?? "" }
        func number(_ column: String) -> Int { Int(self[column]) ?? 0 }

        var data: Data {
            get throws { try Data(contentsOf: root!.appendingPathComponent(path)) }
        }

        var testDescription: String { path }
    }

    static let root = ProcessInfo.processInfo.environment["KUVA_CORPUS"].map { URL(fileURLWithPath: $0) }
    static var isPresent: Bool { root != nil }

    /// The rows of the index of a set (`photos`, `formats`, `broken`) that are of a format.
    static func entries(_ set: String, format: String? = nil) -> [Entry] {
        guard let root,
            let text = try? String(contentsOf: root.appendingPathComponent("\(set)/index.tsv"), encoding: .utf8)
        else { return [] }
        let lines = text.split(separator: "\n")
        let names = lines[0].split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        return lines.dropFirst().map { line in
            let values = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            return Entry(Dictionary(zip(names, values)) { first, _ in first })
        }.filter { format == nil || $0["format"] == format }
    }
}
