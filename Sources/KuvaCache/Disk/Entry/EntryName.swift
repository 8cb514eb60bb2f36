internal import KuvaCore

/// What an entry's file is called: `<shard>/<hash of the original>-<hash of the variant>`.
///
/// Hashes are XXH3-128 of the UTF-8 text in 32 lower-case hexadecimal digits; the shard is the first two of them, so
/// that all variants of one original lie in one folder side by side. Two keys of one name are told apart by the key
/// in the file.
struct EntryName: Hashable, Sendable {
    let original: Hash128
    let variant: Hash128

    init(_ key: CacheKey) {
        original = Checksum.xxh128(key.original)
        variant = key.variant.isEmpty ? Self.hashOfNothing : Checksum.xxh128(key.variant)
    }

    init(original: Hash128, variant: Hash128) {
        self.original = original
        self.variant = variant
    }

    /// Reads a file name without its folder; `nil` if it is not the name of an entry.
    init?(fileName: String) {
        let bytes = Array(fileName.utf8)
        guard bytes.count == Self.length, bytes[32] == UInt8(ascii: "-"),
            let original = Self.hash(bytes[..<32]), let variant = Self.hash(bytes[33...])
        else { return nil }
        self.original = original
        self.variant = variant
    }

    /// The folder, `00` to `ff`.
    var shard: Int { Int(original.high >> 56) }

    /// `ab/ab…-…`.
    var path: String { path(in: "") }

    /// The path behind a folder's, which ends in a slash.
    func path(in folder: String) -> String {
        var folder = folder
        return folder.withUTF8 { folder in
            String(unsafeUninitializedCapacity: folder.count + Self.length + 3) { buffer in
                _ = buffer.initialize(from: folder)
                let name = UnsafeMutableBufferPointer(rebasing: buffer[folder.count...])
                Self.write(original.high >> 56, digits: 2, to: name, at: 0)
                name[2] = UInt8(ascii: "/")
                Self.write(original.high, digits: 16, to: name, at: 3)
                Self.write(original.low, digits: 16, to: name, at: 19)
                name[35] = UInt8(ascii: "-")
                Self.write(variant.high, digits: 16, to: name, at: 36)
                Self.write(variant.low, digits: 16, to: name, at: 52)
                return folder.count + Self.length + 3
            }
        }
    }

    /// The folder's name for a number from 0 to 255.
    static func shardName(_ shard: Int) -> String {
        String(unsafeUninitializedCapacity: 2) { buffer in
            write(UInt64(shard), digits: 2, to: buffer, at: 0)
            return 2
        }
    }

    private static let length = 65
    private static let hashOfNothing = Checksum.xxh128("")

    private static func write(_ value: UInt64, digits: Int, to buffer: UnsafeMutableBufferPointer<UInt8>, at start: Int)
    {
        for index in 0..<digits {
            let digit = UInt8(truncatingIfNeeded: value >> (4 * UInt64(digits - 1 - index))) & 15
            buffer[start + index] = digit < 10 ? 0x30 + digit : 0x57 + digit
        }
    }

    private static func hash(_ digits: ArraySlice<UInt8>) -> Hash128? {
        var hash = Hash128(high: 0, low: 0)
        for digit in digits {
            let value: UInt8
            switch digit {
            case 0x30...0x39: value = digit - 0x30
            case 0x61...0x66: value = digit - 0x57
            default: return nil
            }
            hash.high = hash.high << 4 | hash.low >> 60
            hash.low = hash.low << 4 | UInt64(value)
        }
        return hash
    }
}
