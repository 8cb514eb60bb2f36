#if SVG
    /// How much the entities of an XML document grow when they are put in (XML 1.0, 4.4): a few bytes can stand for
    /// gigabytes, by naming each other or by one long text that is named often, and the library does not bound the second.
    struct XMLEntities {
        private enum Size {
            case uncounted([UInt8])
            case beingCounted
            case known(Int)
        }

        private var sizes: [[UInt8]: Size] = [:]

        /// - Returns: the bytes that all references together stand for; `nil` if entities name themselves, do not end or
        ///   are parameter entities, which no picture needs, or if the count does not fit in an `Int`.
        static func expandedByteCount(in document: UnsafeRawBufferPointer) -> Int? {
            let declaration = Array("<!ENTITY".utf8)
            // Zero bytes are those of UTF-16, in which all that matters here is ASCII too.
            let bytes = document.contains(0) ? document.filter { $0 != 0 } : Array(document)
            var entities = XMLEntities()
            var position = 0
            while let start = find(declaration, in: bytes, from: position) {
                guard let end = entities.declare(bytes, from: start + declaration.count) else { return nil }
                position = end
            }
            return entities.sizes.isEmpty ? 0 : entities.count(references: bytes[position...], depth: 0)
        }

        /// Takes one declaration: white space, name, and a value in quotes or the address of something outside, which is
        /// not loaded and counts nothing.
        ///
        /// - Returns: where it ends.
        private mutating func declare(_ bytes: [UInt8], from start: Int) -> Int? {
            var position = start
            func skip(while condition: (UInt8) -> Bool) -> ArraySlice<UInt8> {
                let first = position
                while position < bytes.count, condition(bytes[position]) { position += 1 }
                return bytes[first..<position]
            }
            _ = skip(while: Self.isSpace)
            let name = Array(skip { !Self.isSpace($0) && $0 != UInt8(ascii: ">") })
            _ = skip(while: Self.isSpace)
            guard position < bytes.count, !name.isEmpty, name != [UInt8(ascii: "%")] else { return nil }
            let quote = bytes[position]
            guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
                if sizes[name] == nil { sizes[name] = .known(0) }
                return position
            }
            position += 1
            let value = skip { $0 != quote }
            guard position < bytes.count else { return nil }
            // The first declaration of a name counts (4.2).
            if sizes[name] == nil { sizes[name] = .uncounted(Array(value)) }
            return position + 1
        }

        private mutating func count(references text: ArraySlice<UInt8>, depth: Int) -> Int? {
            guard depth < 64 else { return nil }
            var (total, position) = (0, text.startIndex)
            while let start = text[position...].firstIndex(of: UInt8(ascii: "&")) {
                guard let end = text[start...].prefix(256).firstIndex(of: UInt8(ascii: ";")) else {
                    position = start + 1
                    continue
                }
                position = end + 1
                guard let size = size(of: Array(text[(start + 1)..<end]), depth: depth) else { return nil }
                let (sum, overflow) = total.addingReportingOverflow(size)
                guard !overflow else { return nil }
                total = sum
            }
            return total
        }

        private mutating func size(of name: [UInt8], depth: Int) -> Int? {
            switch sizes[name] {
            case nil: return 0
            case .known(let size): return size
            case .beingCounted: return nil
            case .uncounted(let value):
                sizes[name] = .beingCounted
                guard let inner = count(references: value[...], depth: depth + 1) else { return nil }
                let (sum, overflow) = inner.addingReportingOverflow(value.count)
                guard !overflow else { return nil }
                sizes[name] = .known(sum)
                return sum
            }
        }

        private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

        private static func find(_ pattern: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
            var position = start
            while let first = bytes[position...].firstIndex(of: pattern[0]) {
                if bytes[first...].starts(with: pattern) { return first }
                position = first + 1
            }
            return nil
        }
    }
#endif
