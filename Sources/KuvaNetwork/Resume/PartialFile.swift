internal import FoundationEssentials
internal import KuvaCore

/// One partial body as a file: a head that says all about it, and its bytes.
///
/// The head is the magic `KUVAPART`, the version 1, the lengths of the address and of the validator, the length of the
/// whole (-1 if unknown) and the length of the bytes, then a checksum of all that follows; all numbers are 64 bits,
/// little-endian. Then come address, validator and bytes.
enum PartialFile {
    private static let magic = Array("KUVAPART".utf8)
    private static let headByteCount = 56

    /// The file's name: a hash of the address, which stands in the file and is compared when it is read.
    static func name(of address: String) -> String {
        let high = hash(address.utf8, seed: 0xCBF2_9CE4_8422_2325)
        let low = hash(address.utf8, seed: 0x9AE1_6A3B_2F90_404F)
        func digits(_ number: UInt64) -> String {
            let text = String(number, radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }
        return digits(high) + digits(low)
    }

    static func isName(_ name: String) -> Bool {
        name.utf8.count == 32 && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// The file of a body.
    static func encode(_ partial: PartialBody, address: String) -> Data {
        var rest = Data(address.utf8)
        rest.append(contentsOf: partial.origin.validator.utf8)
        rest.append(partial.bytes)
        var file = Data(magic)
        let numbers: [Int64] = [
            1, Int64(address.utf8.count), Int64(partial.origin.validator.utf8.count),
            partial.origin.totalByteCount ?? -1, Int64(partial.bytes.count),
        ]
        for number in numbers { withUnsafeBytes(of: number.littleEndian) { file.append(contentsOf: $0) } }
        withUnsafeBytes(of: hash(rest, seed: 0xCBF2_9CE4_8422_2325).littleEndian) { file.append(contentsOf: $0) }
        file.append(rest)
        return file
    }

    /// The body in a file, if the file is whole and about this address.
    static func decode(_ file: Data, address: String) -> PartialBody? {
        guard file.count >= headByteCount, file.starts(with: magic) else { return nil }
        func number(_ index: Int) -> UInt64 {
            let start = file.startIndex + 8 + index * 8
            return file[start..<(start + 8)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        let (addressCount, validatorCount, byteCount) = (number(1), number(2), number(4))
        let rest = file.dropFirst(headByteCount)
        let available = UInt64(rest.count)
        guard number(0) == 1, addressCount <= available, validatorCount <= available - addressCount,
            byteCount == available - addressCount - validatorCount, byteCount > 0,
            number(5) == hash(rest, seed: 0xCBF2_9CE4_8422_2325)
        else { return nil }
        let addressBytes = rest.prefix(Int(addressCount))
        let validator = rest.dropFirst(Int(addressCount)).prefix(Int(validatorCount))
        guard addressBytes.elementsEqual(address.utf8) else { return nil }
        let total = Int64(bitPattern: number(3))
        if total >= 0, Int64(byteCount) >= total { return nil }
        return PartialBody(
            origin: PartialBody.Origin(
                validator: String(decoding: validator, as: UTF8.self),
                totalByteCount: total < 0 ? nil : total
            ),
            bytes: Data(rest.suffix(Int(byteCount)))
        )
    }

    /// FNV-1a, eight bytes a step where the bytes lie together: tells damage, not malice, which the server's validator
    /// and the length guard against no better.
    private static func hash(_ bytes: some Sequence<UInt8>, seed: UInt64) -> UInt64 {
        func plain(_ bytes: some Sequence<UInt8>, _ start: UInt64) -> UInt64 {
            bytes.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        }
        let fast = bytes.withContiguousStorageIfAvailable { buffer -> UInt64 in
            let raw = UnsafeRawBufferPointer(buffer)
            var hash = seed
            var offset = 0
            while offset + 8 <= raw.count {
                let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
                hash ^= hash >> 29
                offset += 8
            }
            return plain(raw[offset...], hash)
        }
        return fast ?? hash(Array(bytes), seed: seed)
    }
}
