extension ImageFormat {
    /// SVG by its root element: a byte-order mark, white space, an XML declaration, processing instructions, comments
    /// and a document type may stand before it (XML 1.0 §2.8).
    static func byRootElement(_ bytes: UnsafeRawBufferPointer) -> ImageFormat? {
        var scanner = MarkupScanner(rest: narrowed(bytes)[...])
        return scanner.rootElement().map { $0 == "svg" || $0.hasSuffix(":svg") } == true ? .svg : nil
    }

    /// The text as single bytes: UTF-8 as it is, UTF-16 with each unit beyond ASCII as one byte that is in no name.
    private static func narrowed(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        let prefix = bytes.prefix(sniffedByteCount)
        if prefix.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(prefix.dropFirst(3)) }
        let isLittleEndian = prefix.starts(with: [0xFF, 0xFE])
        guard isLittleEndian || prefix.starts(with: [0xFE, 0xFF]) else { return Array(prefix) }
        return stride(from: 2, to: prefix.count - 1, by: 2).map { offset in
            let (low, high) = isLittleEndian ? (offset, offset + 1) : (offset + 1, offset)
            return prefix[high] == 0 ? prefix[low] : 0xFF
        }
    }
}

/// Walks over what may stand before the root element of an XML document.
struct MarkupScanner {
    var rest: ArraySlice<UInt8>

    /// The name of the first element, or `nil` if the text is no XML or ends before it.
    mutating func rootElement() -> String? {
        while true {
            rest = rest.drop { Self.isSpace($0) }
            guard rest.first == UInt8(ascii: "<") else { return nil }
            if rest.starts(with: "<?".utf8) {
                guard skip(past: "?>") else { return nil }
            } else if rest.starts(with: "<!--".utf8) {
                rest = rest.dropFirst(4)
                guard skip(past: "-->") else { return nil }
            } else if rest.starts(with: "<!".utf8) {
                guard skipDeclaration() else { return nil }
            } else {
                return elementName()
            }
        }
    }

    private mutating func elementName() -> String? {
        let name = rest.dropFirst().prefix { !Self.isSpace($0) && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
        guard name.endIndex < rest.endIndex, !name.isEmpty else { return nil }
        return String(decoding: name, as: UTF8.self)
    }

    private mutating func skip(past end: StaticString) -> Bool {
        let count = end.utf8CodeUnitCount
        let pattern = UnsafeBufferPointer(start: end.utf8Start, count: count)
        while rest.count >= count {
            if rest.starts(with: pattern) {
                rest = rest.dropFirst(count)
                return true
            }
            rest = rest.dropFirst()
        }
        return false
    }

    /// A document type: its internal subset in brackets, quoted strings, comments and processing instructions may hold
    /// `>` (XML 1.0 §2.8).
    private mutating func skipDeclaration() -> Bool {
        var depth = 0
        while let byte = rest.first {
            if rest.starts(with: "<!--".utf8) {
                rest = rest.dropFirst(4)
                guard skip(past: "-->") else { return false }
                continue
            }
            if rest.starts(with: "<?".utf8) {
                guard skip(past: "?>") else { return false }
                continue
            }
            rest = rest.dropFirst()
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                guard let end = rest.firstIndex(of: byte) else { return false }
                rest = rest[(end + 1)...]
            case UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ">") where depth <= 0: return true
            default: break
            }
        }
        return false
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
