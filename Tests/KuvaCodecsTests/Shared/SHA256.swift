/// SHA-256 (FIPS 180-4), for the corpus's hashes; checked against the standard's own example in `SHA256Tests`.
struct SHA256 {
    private static let constants: [UInt32] = {
        // The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4, 4.2.2).
        let primes = (2...311).filter { n in n < 4 || !(2...Int(Double(n).squareRoot())).contains { n % $0 == 0 } }
        return primes.map { fraction(ofRoot: 3, of: $0) }
    }()

    /// The first 32 bits of the fractional part of a root, by integer arithmetic: floor(root × 2³²) mod 2³².
    private static func fraction(ofRoot degree: Int, of prime: Int) -> UInt32 {
        var (low, high) = (UInt64(0), UInt64(20) << 32)
        while low < high {
            let middle = (low + high + 1) / 2
            if isPower(middle, degree, atMost: prime) { low = middle } else { high = middle - 1 }
        }
        return UInt32(truncatingIfNeeded: low)
    }

    private static func isPower(_ value: UInt64, _ degree: Int, atMost prime: Int) -> Bool {
        let wide = UInt128(value)
        return degree == 2 ? wide * wide <= UInt128(prime) << 64 : wide * wide * wide <= UInt128(prime) << 96
    }

    static func hex(_ bytes: some Collection<UInt8>) -> String {
        let message = Array(bytes)
        var state = [2, 3, 5, 7, 11, 13, 17, 19].map { fraction(ofRoot: 2, of: $0) }
        var tail = Array(message.suffix(message.count % 64)) + [0x80]
        tail += [UInt8](repeating: 0, count: (120 - tail.count % 64) % 64)
        tail += (0..<8).map { UInt8(truncatingIfNeeded: (message.count * 8) >> (56 - $0 * 8)) }
        message.withUnsafeBytes { whole in
            for block in 0..<message.count / 64 {
                absorb(UnsafeRawBufferPointer(rebasing: whole[block * 64..<block * 64 + 64]), into: &state)
            }
        }
        tail.withUnsafeBytes { rest in
            for block in 0..<tail.count / 64 {
                absorb(UnsafeRawBufferPointer(rebasing: rest[block * 64..<block * 64 + 64]), into: &state)
            }
        }
        return state.map { word in
            let text = String(word, radix: 16)
            return String(repeating: "0", count: 8 - text.count) + text
        }.joined()
    }

    private static func absorb(_ block: UnsafeRawBufferPointer, into state: inout [UInt32]) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { w in
            func turn(_ x: UInt32, _ n: UInt32) -> UInt32 { x >> n | x << (32 - n) }
            for i in 0..<16 { w[i] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: i * 4, as: UInt32.self)) }
            for i in 16..<64 {
                let s0 = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ w[i - 15] >> 3
                let s1 = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ w[i - 2] >> 10
                w[i] = w[i - 16] &+ s0 &+ w[i - 7] &+ s1
            }
            var (a, b, c, d) = (state[0], state[1], state[2], state[3])
            var (e, f, g, h) = (state[4], state[5], state[6], state[7])
            constants.withUnsafeBufferPointer { k in
                for i in 0..<64 {
                    let s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)
                    let t1 = h &+ s1 &+ (e & f ^ ~e & g) &+ k[i] &+ w[i]
                    let s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)
                    let t2 = s0 &+ (a & b ^ a & c ^ b & c)
                    (h, g, f, e, d, c, b, a) = (g, f, e, d &+ t1, c, b, a, t1 &+ t2)
                }
            }
            for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= value }
        }
    }
}
