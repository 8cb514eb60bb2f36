internal import CKuvaSHA256
internal import Kuva

/// Owns one running SHA-256 of the C library.
struct SHA256Sum: ~Copyable {
    private let sum: OpaquePointer

    /// - Throws: ``ImageError`` with the code `out-of-memory`.
    init() throws(ImageError) {
        guard let sum = kuva_sha256_create() else { throw Self.failure }
        self.sum = sum
    }

    deinit { kuva_sha256_destroy(sum) }

    mutating func add(_ bytes: UnsafeRawBufferPointer) throws(ImageError) {
        guard kuva_sha256_update(sum, bytes.baseAddress, bytes.count) != 0 else { throw Self.failure }
    }

    /// The sum in lower-case hexadecimal digits.
    consuming func hex() throws(ImageError) -> String {
        var bytes = [UInt8](repeating: 0, count: Int(KUVA_SHA256_BYTES))
        guard kuva_sha256_finish(sum, &bytes) != 0 else { throw Self.failure }
        let digits = Array("0123456789abcdef".utf8)
        let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }

    private static var failure: ImageError {
        ImageError(.outOfMemory, "the system's SHA-256 failed", advice: "free some memory and try again")
    }
}
