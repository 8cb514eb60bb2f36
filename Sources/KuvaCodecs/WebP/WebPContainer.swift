internal import KuvaCore

/// The chunks of a WebP file (RFC 9649, section 2), found as the bytes come. Each chunk is looked at once.
struct WebPContainer {
    /// One frame of an animation (RFC 9649, section 2.7.1.1).
    struct Frame {
        /// Where the frame lies on the canvas.
        let x: Int
        let y: Int
        let size: PixelSize
        let duration: Duration
        var disposal = AnimationCanvas.Disposal.keep
        var blend = AnimationCanvas.Blend.replace
        /// The frame's image chunks; may reach past the bytes that have come.
        let data: Range<Int>

        var rect: PixelRect { PixelRect(x: x, y: y, size: size) }
    }

    /// Size, flags and so on of a file in the extended format; `nil` for a simple one.
    struct Extended {
        let canvasSize: PixelSize
        let isAnimated: Bool
        let hasAlpha: Bool
        let hasEXIF: Bool
    }

    private(set) var extended: Extended?
    /// How often the animation plays: 0 for ever.
    private(set) var loopCount: Int?
    private(set) var frames: [Frame] = []
    /// On what the frames depend.
    var chain = FrameChain()
    private(set) var exif: Range<Int>?
    private(set) var xmp: Range<Int>?
    private(set) var iccProfile: Range<Int>?
    /// Whether all chunks of the file have been seen.
    private(set) var isAtEnd = false

    /// Where the next chunk starts.
    private var position = 12

    /// Goes on with the file, given from its first byte as far as it has come.
    ///
    /// - Throws: ``ImageError`` with the code `corrupt-image` for a file that is not WebP or a frame that lies outside
    ///   the canvas.
    mutating func advance(in file: UnsafeRawBufferPointer) throws(ImageError) {
        let bytes = BoundedBytes(file)
        guard let riffSize = bytes.uint32(at: 4, bigEndian: false), bytes.count >= 12 else { return }
        guard bytes.has("RIFF", at: 0), bytes.has("WEBP", at: 8) else { throw .webpCorrupt("it has no RIFF header") }
        let end = 8 + Int(riffSize)
        while !isAtEnd {
            guard position <= end - 8 else {
                isAtEnd = true
                return
            }
            guard let size = bytes.uint32(at: position + 4, bigEndian: false) else { return }
            let payload = position + 8..<position + 8 + Int(size)
            guard try read(payload, ofChunkAt: position, in: bytes) else { return }
            position = payload.upperBound + payload.count % 2
        }
    }

    /// - Returns: whether enough of the chunk has come.
    private mutating func read(
        _ payload: Range<Int>,
        ofChunkAt start: Int,
        in bytes: BoundedBytes
    ) throws(ImageError) -> Bool {
        let isWhole = payload.upperBound <= bytes.count
        if bytes.has("VP8X", at: start) {
            guard isWhole else { return false }
            guard extended == nil, let header = Self.extended(payload, in: bytes) else {
                throw .webpCorrupt("its VP8X chunk is wrong")
            }
            extended = header
        } else if bytes.has("ANIM", at: start) {
            guard isWhole else { return false }
            guard payload.count >= 6 else { throw .webpCorrupt("its ANIM chunk is too short") }
            loopCount = loopCount ?? bytes.uint16(at: payload.lowerBound + 4, bigEndian: false).map(Int.init)
        } else if bytes.has("ANMF", at: start) {
            guard payload.count >= 16 else { throw .webpCorrupt("an ANMF chunk is too short") }
            // With the name of the first chunk inside, which tells whether there can be alpha.
            guard bytes.count >= payload.lowerBound + 20 || (payload.count < 20 && isWhole) else { return false }
            let frame = try frame(payload, in: bytes)
            frames.append(frame)
            guard let screen = extended?.canvasSize else { return true }
            let isOpaque = bytes.has("VP8 ", at: payload.lowerBound + 16)
            chain.append(
                frame.rect,
                on: screen,
                disposal: frame.disposal,
                hidesAll: frame.size == screen && (frame.blend == .replace || isOpaque)
            )
        } else if bytes.has("EXIF", at: start) {
            guard isWhole else { return false }
            exif = exif ?? payload
        } else if bytes.has("XMP ", at: start) {
            guard isWhole else { return false }
            xmp = xmp ?? payload
        } else if bytes.has("ICCP", at: start) {
            guard isWhole else { return false }
            iccProfile = iccProfile ?? payload
        }
        return true
    }

    private static func extended(_ payload: Range<Int>, in bytes: BoundedBytes) -> Extended? {
        let start = payload.lowerBound
        guard payload.count >= 10, let flags = bytes.uint8(at: start),
            let width = bytes.uint24LittleEndian(at: start + 4), let height = bytes.uint24LittleEndian(at: start + 7)
        else { return nil }
        return Extended(
            canvasSize: PixelSize(width: width + 1, height: height + 1),
            isAnimated: flags & 0x02 != 0,
            hasAlpha: flags & 0x10 != 0,
            hasEXIF: flags & 0x08 != 0
        )
    }

    private func frame(_ payload: Range<Int>, in bytes: BoundedBytes) throws(ImageError) -> Frame {
        let fields = (0..<5).compactMap { bytes.uint24LittleEndian(at: payload.lowerBound + $0 * 3) }
        guard fields.count == 5, let canvas = extended?.canvasSize,
            fields[0] * 2 + fields[2] + 1 <= canvas.width, fields[1] * 2 + fields[3] + 1 <= canvas.height
        else { throw .webpCorrupt("a frame lies outside its canvas") }
        let flags = bytes.uint8(at: payload.lowerBound + 15) ?? 0
        return Frame(
            x: fields[0] * 2,
            y: fields[1] * 2,
            size: PixelSize(width: fields[2] + 1, height: fields[3] + 1),
            duration: .milliseconds(fields[4]),
            disposal: flags & 1 == 0 ? .keep : .clear,
            blend: flags & 2 == 0 ? .over : .replace,
            data: payload.lowerBound + 16..<payload.upperBound
        )
    }
}
