import Foundation
import Testing

/// The declarations in a folder of Swift sources, by their full names: `ImageManager.Configuration.mayLoad`.
///
/// A reader of lines, not of Swift: it relies on how `swift format` lays code out. Declarations inside functions do not
/// count.
struct SourceDeclarations {
    private(set) var names: Set<String> = []

    init(in folder: URL) throws {
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        for case let file as URL in try #require(files) where file.pathExtension == "swift" {
            var reader = Reader()
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                names.formUnion(reader.names(in: line))
            }
        }
    }

    /// What has been read of one file.
    private struct Reader {
        /// The types around the line; `nil` for a body that is none.
        private var scopes: [String?] = []
        private var pending: String?
        private var isInText = false

        private static let types: Set<Substring> = ["class", "struct", "enum", "protocol", "actor", "extension"]
        private static let members: Set<Substring> = ["func", "var", "let", "case", "init", "typealias", "subscript"]

        mutating func names(in line: Substring) -> [String] {
            guard let code = code(in: line) else { return [] }
            defer { follow(code) }
            guard !scopes.contains(nil) else { return [] }
            let words = code.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "." && $0 != "@" }
            guard let place = words.firstIndex(where: { Self.types.contains($0) || Self.members.contains($0) })
            else { return [] }
            let keyword = words[place]
            let name = place + 1 < words.count ? String(words[place + 1]) : ""
            if Self.types.contains(keyword) { pending = name }
            switch keyword {
            case "extension": return []
            case "init", "subscript": return [full(String(keyword))]
            case "case": return cases(in: code).map(full)
            default: return [full(name)]
            }
        }

        /// The names in `case one, two(Int), three = 3`.
        private func cases(in code: String) -> [String] {
            guard let start = code.range(of: "case ")?.upperBound else { return [] }
            var depth = 0
            var plain = ""
            for character in code[start...] {
                if character == "(" || character == "[" { depth += 1 }
                if depth == 0 { plain.append(character) }
                if character == ")" || character == "]" { depth -= 1 }
            }
            return plain.split(separator: ",").compactMap { $0.split(whereSeparator: { $0 == " " || $0 == ":" }).first }
                .map(String.init)
        }

        private func full(_ name: String) -> String { (scopes.compactMap { $0 } + [name]).joined(separator: ".") }

        private mutating func follow(_ code: String) {
            for character in code {
                if character == "{" {
                    scopes.append(pending)
                    pending = nil
                } else if character == "}" {
                    _ = scopes.popLast()
                }
            }
        }

        /// A line without comments and texts; `nil` inside a text of several lines.
        private mutating func code(in line: Substring) -> String? {
            if line.contains("\"\"\"") {
                isInText.toggle()
                return nil
            }
            if isInText { return nil }
            var result = ""
            var isQuoted = false
            var previous: Character = " "
            for character in line {
                if character == "\"", previous != "\\" {
                    isQuoted.toggle()
                } else if !isQuoted {
                    if character == "/", previous == "/" { return String(result.dropLast()) }
                    result.append(character)
                }
                previous = previous == "\\" && character == "\\" ? " " : character
            }
            return result
        }
    }
}
