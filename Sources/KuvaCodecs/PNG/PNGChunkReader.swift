internal import CKuvaPNG
internal import FoundationEssentials
internal import KuvaCore

/// Walks over the chunks of a PNG file, however its bytes are cut into pieces.
///
/// A value-type state machine: each method takes what is there and returns `nil` when it needs more bytes, to be called
/// again with more. A chunk is read as a whole (``body(from:)``), piece by piece (``piece(from:_:)``, then
/// ``isIntact(in:)``) or not at all: ``next(from:)`` passes over what is left of it.
struct PNGChunkReader {
    private enum State {
        case signature
        case header
        case body(remaining: Int)
        case sum
    }

    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private var state = State.signature
    private var crc: UInt32 = 0

    /// The header of the next chunk.
    ///
    /// - Throws: `corrupt-image` for a file that does not start as PNG does and for a header that no chunk can have.
    mutating func next(from stream: inout ByteStream) throws(ImageError) -> PNGChunkHeader? {
        if case .signature = state {
            guard let bytes = stream.take(Self.signature.count) else { return nil }
            guard bytes == Self.signature else { throw Self.corrupt("the file does not start with PNG's signature") }
            state = .header
        }
        if case .body(let remaining) = state {
            let count = min(remaining, stream.count)
            stream.skip(count)
            state = count == remaining ? .sum : .body(remaining: remaining - count)
        }
        if case .sum = state, stream.take(4) != nil { state = .header }
        guard case .header = state, stream.count >= 8 else { return nil }
        let position = stream.position
        guard let length = stream.takeUInt32() else { return nil }
        crc = stream.withBytes { Self.sum(of: $0.prefix(4), after: 0) }
        guard let code = stream.takeUInt32() else { return nil }
        let type = PNGChunkType(code: code)
        // §5.3: lengths are at most 2^31 - 1.
        guard type.isValid, length <= UInt32(Int32.max) else {
            throw Self.corrupt("there is no chunk at byte \(position), where one must be")
        }
        state = .body(remaining: Int(length))
        return PNGChunkHeader(type: type, length: Int(length))
    }

    /// The whole body of the chunk, and whether its CRC is right.
    mutating func body(from stream: inout ByteStream) -> (bytes: [UInt8], isIntact: Bool)? {
        guard case .body(let length) = state, stream.count >= length + 4, let bytes = stream.take(length) else {
            return nil
        }
        crc = bytes.withUnsafeBytes { Self.sum(of: $0[...], after: crc) }
        state = .sum
        return isIntact(in: &stream).map { (bytes, $0) }
    }

    /// Lets `use` take as much of the body as it likes of what is there; it returns how many bytes it took. It is called
    /// with nothing once all is taken, since what it did with the bytes may not be over.
    ///
    /// - Returns: whether the body has been taken as a whole.
    mutating func piece(from stream: inout ByteStream, _ use: (UnsafeRawBufferPointer) -> Int) -> Bool {
        guard case .body(let remaining) = state else {
            _ = use(UnsafeRawBufferPointer(start: nil, count: 0))
            return true
        }
        var sum = crc
        let taken = stream.withBytes { bytes in
            let here = UnsafeRawBufferPointer(rebasing: bytes.prefix(remaining))
            let taken = use(here)
            sum = Self.sum(of: here.prefix(taken), after: sum)
            return taken
        }
        crc = sum
        stream.skip(taken)
        state = taken == remaining ? .sum : .body(remaining: remaining - taken)
        return taken == remaining
    }

    /// Reads the CRC after a body that has been taken as a whole, and says whether it is right.
    mutating func isIntact(in stream: inout ByteStream) -> Bool? {
        guard case .sum = state, let sum = stream.takeUInt32() else { return nil }
        state = .header
        return sum == crc
    }

    private static func sum(of bytes: Slice<UnsafeRawBufferPointer>, after crc: UInt32) -> UInt32 {
        let bytes = UnsafeRawBufferPointer(rebasing: bytes)
        guard let base = bytes.bindMemory(to: UInt8.self).baseAddress else { return crc }
        return kuva_png_crc32(crc, base, bytes.count)
    }

    /// The error for a file that breaks the rules of PNG.
    static func corrupt(_ message: String) -> ImageError {
        ImageError(.corruptImage, message, advice: "the file is broken; get it again from its source")
    }
}
