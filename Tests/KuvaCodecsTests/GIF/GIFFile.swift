import Foundation

/// GIF files drawn by hand, block by block, with codes packed as GIF89a's appendix F says and no compressor.
enum GIFFile {
    static func screen(_ width: Int, _ height: Int, palette: [UInt8] = [], version: String = "89a") -> [UInt8] {
        Array("GIF\(version)".utf8) + little(width) + little(height) + [packed(palette), 0, 0] + palette
    }

    static func control(disposal: UInt8 = 0, delay: Int = 0, transparent: UInt8? = nil) -> [UInt8] {
        [0x21, 0xF9, 4, disposal << 2 | (transparent == nil ? 0 : 1)] + little(delay) + [transparent ?? 0, 0]
    }

    static func image(
        _ left: Int,
        _ top: Int,
        _ width: Int,
        _ height: Int,
        interlaced: Bool = false,
        palette: [UInt8] = [],
        codeSize: UInt8 = 2,
        data: [UInt8]
    ) -> [UInt8] {
        let flags: UInt8 = packed(palette) | (interlaced ? 0x40 : 0)
        let place: [UInt8] = [left, top, width, height].flatMap { little($0) }
        return [0x2C] + place + [flags] + palette + [codeSize] + data
    }

    /// Codes with their lengths in bits, lowest bit first, as sub-blocks of `size` bytes with a terminator.
    static func codes(_ codes: [(code: Int, bits: Int)], blockSize size: Int = 255, terminated: Bool = true) -> [UInt8]
    {
        var (bytes, buffer, count) = ([UInt8](), UInt64(0), 0)
        for (code, bits) in codes {
            buffer |= UInt64(code) << UInt64(count)
            count += bits
            while count >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: buffer))
                buffer >>= 8
                count -= 8
            }
        }
        if count > 0 { bytes.append(UInt8(truncatingIfNeeded: buffer)) }
        return blocks(bytes, size: size, terminated: terminated)
    }

    static func blocks(_ bytes: [UInt8], size: Int = 255, terminated: Bool = true) -> [UInt8] {
        let parts = stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }
        return parts.flatMap { [UInt8($0.count)] + $0 } + (terminated ? [0] : [])
    }

    static func loop(_ count: Int, application: String = "NETSCAPE2.0") -> [UInt8] {
        [0x21, 0xFF, 11] + Array(application.utf8) + [3, 1] + little(count) + [0]
    }

    static let trailer: [UInt8] = [0x3B]

    /// Indices 0 to 3: black, red, green, blue.
    static let four: [UInt8] = [0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255]
    static let colours: [[UInt8]] = [[0, 0, 0, 255], [255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255]]

    /// Each index as a code of its own, with a clear code in front of each, so that the table never grows: 3 bits all.
    static func plain(_ indices: [Int], end: Bool = true, blockSize: Int = 255) -> [UInt8] {
        codes(indices.flatMap { [(4, 3), ($0, 3)] } + (end ? [(5, 3)] : []), blockSize: blockSize)
    }

    private static func little(_ value: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
    }

    /// 2, 4, 8 … entries are written as their logarithm less one.
    private static func packed(_ palette: [UInt8]) -> UInt8 {
        palette.isEmpty ? 0 : 0x80 | UInt8((palette.count / 3).trailingZeroBitCount - 1)
    }
}
