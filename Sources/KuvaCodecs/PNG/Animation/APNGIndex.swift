internal import CKuvaPNG
internal import KuvaCore

/// Where the frames of an APNG are: one pass over its chunks, as far as they have come, that inflates nothing.
///
/// The animation ends in front of a chunk that breaks its rules: a wrong sequence number, a frame outside the canvas.
struct APNGIndex {
    /// One frame and the parts of the file that its zlib stream is made of.
    struct Frame {
        let control: PNGFrameControl
        var data: [Range<Int>] = []
        /// Whether the chunk behind its last data has begun.
        var isWhole = false
    }

    private(set) var frames: [Frame] = []
    /// On what the frames depend.
    var chain = FrameChain()
    /// Whether no further frame will be found.
    private(set) var isFinished = false

    private let canvas: PixelSize
    /// The number of frames that the file claims.
    private let claimed: Int
    private let hasAlpha: Bool
    private var position = 8
    private var nextSequence: UInt32 = 0
    private var hasSeenImageData = false

    init(_ metadata: PNGMetadata) {
        canvas = metadata.header.size
        claimed = metadata.animation?.frameCount ?? 0
        hasAlpha = metadata.hasAlpha
    }

    /// Reads on.
    ///
    /// - Parameter bytes: all of the file that has come, from its start.
    mutating func read(_ bytes: BoundedBytes) {
        while !isFinished, let length = bytes.uint32(at: position, bigEndian: true),
            let code = bytes.uint32(at: position + 4, bigEndian: true)
        {
            let body = (position + 8)..<(position + 8 + Int(length))
            guard length <= UInt32(Int32.max), take(PNGChunkType(code: code), body, of: bytes) else { return }
            position = body.upperBound + 4
        }
    }

    /// - Returns: whether the chunk is done with, so that the next may be looked at.
    private mutating func take(_ type: PNGChunkType, _ body: Range<Int>, of bytes: BoundedBytes) -> Bool {
        switch type {
        case .imageData:
            hasSeenImageData = true
            // Before the first frame control, the default image is not part of the animation.
            guard !frames.isEmpty else { return body.upperBound + 4 <= bytes.count }
            return takeData(body, of: bytes)
        case .frameData:
            guard !frames.isEmpty else { return finish() }
            guard let sequence = bytes.uint32(at: body.lowerBound, bigEndian: true) else { return false }
            guard body.count >= 4, sequence == nextSequence else { return finish() }
            guard takeData((body.lowerBound + 4)..<body.upperBound, of: bytes) else { return false }
            nextSequence += 1
            return true
        case .frame: return takeControl(body, of: bytes)
        case .end: return finish()
        default: return body.upperBound + 4 <= bytes.count
        }
    }

    /// A part of a frame is noted once it has come with its checksum.
    private mutating func takeData(_ part: Range<Int>, of bytes: BoundedBytes) -> Bool {
        guard part.upperBound + 4 <= bytes.count else { return false }
        frames[frames.count - 1].data.append(part)
        return true
    }

    private mutating func takeControl(_ body: Range<Int>, of bytes: BoundedBytes) -> Bool {
        if !frames.isEmpty { frames[frames.count - 1].isWhole = true }
        guard frames.count < claimed else { return finish() }
        guard body.upperBound + 4 <= bytes.count else { return false }
        guard let chunk = bytes.slice((body.lowerBound - 4)..<body.upperBound), body.count == PNGFrameControl.byteCount,
            let control = PNGFrameControl(Array(chunk.dropFirst(4)), canvas: canvas),
            bytes.uint32(at: body.lowerBound, bigEndian: true) == nextSequence,
            bytes.uint32(at: body.upperBound, bigEndian: true) == kuva_png_crc32(0, chunk.baseAddress, chunk.count)
        else { return finish() }
        nextSequence += 1
        frames.append(Frame(control: control))
        let isWholeCanvas = control.size == canvas
        chain.append(
            control.rect,
            on: canvas,
            disposal: control.disposal,
            hidesAll: isWholeCanvas && (control.blend == .replace || !hasAlpha)
        )
        return true
    }

    private mutating func finish() -> Bool {
        isFinished = true
        if !frames.isEmpty { frames[frames.count - 1].isWhole = true }
        return false
    }
}
