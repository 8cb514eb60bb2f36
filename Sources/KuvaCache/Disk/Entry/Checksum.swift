internal import CKuvaXXHash

/// XXH3 by the xxHash library: fast enough to verify each read, and no defence against anyone who forges files.
enum Checksum {
    static func xxh64(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
        kuva_xxhash_64(bytes.baseAddress, bytes.count, seed)
    }

    static func xxh64(_ text: String, seed: UInt64) -> UInt64 {
        if let hash = text.utf8.withContiguousStorageIfAvailable({ xxh64(UnsafeRawBufferPointer($0), seed: seed) }) {
            return hash
        }
        var text = text
        return text.withUTF8 { xxh64(UnsafeRawBufferPointer($0), seed: seed) }
    }

    static func xxh128(_ text: String) -> Hash128 {
        var text = text
        return text.withUTF8 { bytes in
            var hash = Hash128(high: 0, low: 0)
            kuva_xxhash_128(bytes.baseAddress, bytes.count, &hash.high, &hash.low)
            return hash
        }
    }
}

/// A hash of 128 bits.
struct Hash128: Hashable, Sendable {
    var high: UInt64
    var low: UInt64
}
