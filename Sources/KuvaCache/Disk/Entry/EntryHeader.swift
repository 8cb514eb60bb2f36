internal import FoundationEssentials
internal import KuvaCore

/// What an entry says about itself.
struct EntryHeader: Equatable {
    var key: CacheKey
    var storedAt: Date
    /// The name of the picture's format; empty if the bytes did not tell.
    var formatName = ""
    var response: StoredResponse?
    var extendedData: Data?
    /// Bytes of the body; set by reading.
    var bodyLength = 0
    /// When the key was first stored, if that is not ``storedAt`` and matters.
    var createdAt: Date?

    /// The header's bytes, checksum included; `nil` if they are more than the form can say.
    func encoded(bodyLength: Int) -> [UInt8]? {
        var writer = ByteWriter(capacity: 512)
        writer.append(EntryFormat.magic)
        writer.append(EntryFormat.version)
        writer.append(UInt32(0))
        writer.append(UInt64(bodyLength))
        writer.append(storedAt)
        writer.append(EntryFormat.Section.original.rawValue)
        writer.append(key.original)
        if !key.variant.isEmpty {
            writer.append(EntryFormat.Section.variant.rawValue)
            writer.append(key.variant)
        }
        if !formatName.isEmpty {
            writer.append(EntryFormat.Section.format.rawValue)
            writer.append(formatName)
        }
        if let response {
            writer.append(EntryFormat.Section.response.rawValue)
            let start = writer.bytes.count
            writer.append(UInt32(0))
            writer.append(response)
            writer.overwrite(UInt32(truncatingIfNeeded: writer.bytes.count - start - 4), at: start)
        }
        if let extendedData {
            writer.append(EntryFormat.Section.extendedData.rawValue)
            writer.append(extendedData)
        }
        if let createdAt {
            writer.append(EntryFormat.Section.createdAt.rawValue)
            writer.append(UInt32(8))
            writer.append(createdAt)
        }
        guard let length = UInt32(exactly: writer.bytes.count + 8) else { return nil }
        writer.overwrite(length, at: 12)
        writer.append(writer.bytes.withUnsafeBytes { Checksum.xxh64($0) })
        return writer.bytes
    }

    /// Reads the header of an entry that is `entryLength` bytes long.
    ///
    /// - Parameter expected: the key that it probably has, whose texts are then not made again.
    /// - Returns: `nil` if anything about it is wrong; otherwise the header, its length and its checksum.
    static func decode(
        _ bytes: UnsafeRawBufferPointer,
        entryLength: Int,
        expecting expected: CacheKey? = nil
    ) -> (header: EntryHeader, length: Int, checksum: UInt64)? {
        var fixed = ByteReader(bytes)
        guard fixed.number(UInt64.self) == EntryFormat.magic, fixed.number(UInt32.self) == EntryFormat.version,
            let length = fixed.number(UInt32.self).map(Int.init), length >= fixed.offset + 16 + 8 + 8,
            length <= bytes.count, length <= entryLength - EntryFormat.footerLength,
            let bodyLength = fixed.number(UInt64.self),
            bodyLength == UInt64(entryLength - length - EntryFormat.footerLength),
            let storedAt = fixed.date()
        else { return nil }
        let checksum = Checksum.xxh64(UnsafeRawBufferPointer(rebasing: bytes[..<(length - 8)]))
        guard UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: length - 8, as: UInt64.self)) == checksum,
            var header = sections(
                UnsafeRawBufferPointer(rebasing: bytes[EntryFormat.fixedLength..<(length - 8)]),
                storedAt: storedAt,
                expected
            )
        else { return nil }
        header.bodyLength = Int(bodyLength)
        return (header, length, checksum)
    }

    private static func sections(
        _ bytes: UnsafeRawBufferPointer,
        storedAt: Date,
        _ expected: CacheKey?
    ) -> EntryHeader? {
        var reader = ByteReader(bytes)
        var (original, variant): (String?, String?)
        var header = EntryHeader(key: CacheKey(original: ""), storedAt: storedAt)
        while !reader.isAtEnd {
            guard let type = reader.number(UInt32.self), let block = reader.block() else { return nil }
            switch EntryFormat.Section(rawValue: type) {
            case .original:
                original = text(block, expected?.original)
            case .variant:
                guard let text = text(block, expected?.variant) else { return nil }
                variant = text
            case .format:
                guard let text = String(validating: block, as: UTF8.self) else { return nil }
                header.formatName = text
            case .response:
                guard let response = StoredResponse(reading: block) else { return nil }
                header.response = response
            case .extendedData:
                header.extendedData = Data(block)
            case .createdAt:
                var content = ByteReader(block)
                header.createdAt = content.date()
            case nil:
                continue
            }
        }
        guard let original else { return nil }
        header.key = CacheKey(original: original, variant: variant ?? "")
        return header
    }

    /// The text that bytes say; `nil` if they are not UTF-8.
    private static func text(_ bytes: UnsafeRawBufferPointer, _ expected: String?) -> String? {
        if let expected, expected.utf8.elementsEqual(bytes) { return expected }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension ByteWriter {
    fileprivate mutating func append(_ response: StoredResponse) {
        append(response.url.absoluteString)
        append(Int32(clamping: response.status))
        append(response.requestTime)
        append(response.responseTime)
        append(response.fields)
        // Without it a later `Vary` could not be judged (RFC 9111 §4.1); most answers have none.
        if !response.selectingFields.isEmpty { append(response.selectingFields) }
    }

    private mutating func append(_ fields: HTTPFields) {
        let fields = fields.fields
        append(UInt32(fields.count))
        for field in fields {
            append(field.name)
            append(field.value)
        }
    }
}

extension StoredResponse {
    fileprivate init?(reading bytes: UnsafeRawBufferPointer) {
        var reader = ByteReader(bytes)
        guard let url = reader.text().flatMap({ URL(string: $0) }), let status = reader.number(Int32.self),
            let requestTime = reader.date(), let responseTime = reader.date(), let fields = reader.fields()
        else { return nil }
        var selectingFields = HTTPFields()
        if !reader.isAtEnd {
            guard let selecting = reader.fields(), reader.isAtEnd else { return nil }
            selectingFields = selecting
        }
        self.init(
            url: url,
            status: Int(status),
            fields: fields,
            selectingFields: selectingFields,
            requestTime: requestTime,
            responseTime: responseTime
        )
    }
}

extension ByteReader {
    fileprivate mutating func fields() -> HTTPFields? {
        guard let count = number(UInt32.self) else { return nil }
        var fields = HTTPFields()
        for _ in 0..<count {
            guard let name = text(), let value = text() else { return nil }
            fields.append(name: name, value: value)
        }
        return fields
    }
}
