internal import KuvaCore

/// Where everything is in a GIF file: one pass over its blocks, as far as they have come, that decodes nothing.
///
/// A value-type state machine that goes on where it stopped when it is given more of the same file.
struct GIFIndex {
    private enum State {
        case header
        case block
        /// In the data of the last frame.
        case imageData
        /// In an extension that says nothing about the picture.
        case subBlocks
        /// In the application extension that says how often to play.
        case loopData
        case finished
    }

    /// The logical screen; a size of zero is replaced by the first frame's, as browsers do.
    private(set) var screen = PixelSize(width: 0, height: 0)
    private(set) var frames: [GIFFrame] = []
    /// On what the frames depend.
    var chain = FrameChain()
    /// Whether a pixel of any frame may be transparent.
    private(set) var hasAlpha = false
    /// As the file says it; 0 is for ever.
    private(set) var loopCount: Int?
    /// Whether the file goes no further, by its trailer or by something that is no block.
    var isFinished: Bool { if case .finished = state { true } else { false } }

    private var state = State.header
    private var position = 0
    private var globalPalette: GIFPalette?
    private var control = GIFControl()

    /// Reads on.
    ///
    /// - Parameter bytes: all of the file that has come, from its start.
    /// - Throws: `corrupt-image` if it is no GIF, `limit-exceeded` for too many frames.
    mutating func read(_ bytes: BoundedBytes, limits: DecodeLimits) throws(ImageError) {
        while true {
            let before = position
            switch state {
            case .header: try readHeader(bytes, limits: limits)
            case .block: try readBlock(bytes, limits: limits)
            case .imageData:
                if passSubBlock(bytes) == 0 {
                    frames[frames.count - 1].dataEnd = position
                    state = .block
                }
            case .subBlocks: if passSubBlock(bytes) == 0 { state = .block }
            case .loopData: readLoopData(bytes)
            case .finished: return
            }
            if position == before { return }
        }
    }

    private mutating func readHeader(_ bytes: BoundedBytes, limits: DecodeLimits) throws(ImageError) {
        guard let size = bytes.size(at: 6), let packed = bytes.uint8(at: 10), bytes.count >= 13 else { return }
        guard bytes.has("GIF87a", at: 0) || bytes.has("GIF89a", at: 0) else {
            throw Self.corrupt("the file does not start with GIF's signature")
        }
        let palette = Self.palette(packed: packed, offset: 13)
        let end = 13 + (palette?.byteCount ?? 0)
        guard bytes.count >= end else { return }
        if !size.isEmpty { try limits.check(source: size) }
        screen = size
        globalPalette = palette
        position = end
        state = .block
    }

    private mutating func readBlock(_ bytes: BoundedBytes, limits: DecodeLimits) throws(ImageError) {
        guard let introducer = bytes.uint8(at: position) else { return }
        switch introducer {
        case 0x2C: try readImageDescriptor(bytes, limits: limits)
        case 0x21: readExtension(bytes)
        // Some writers end a block twice.
        case 0: position += 1
        // The trailer; and what is no block ends the file for browsers too.
        default: state = .finished
        }
    }

    private mutating func readImageDescriptor(
        _ bytes: BoundedBytes,
        limits: DecodeLimits
    ) throws(ImageError) {
        let start = position + 1
        guard let left = bytes.littleEndian16(at: start), let top = bytes.littleEndian16(at: start + 2),
            var size = bytes.size(at: start + 4), let packed = bytes.uint8(at: start + 8)
        else { return }
        let palette = Self.palette(packed: packed, offset: start + 9)
        let codeSizeOffset = start + 9 + (palette?.byteCount ?? 0)
        guard let minimumCodeSize = bytes.uint8(at: codeSizeOffset) else { return }
        // Browsers give a frame without a size the screen's, and a screen without one the first frame's.
        if size.isEmpty { size = screen }
        if screen.isEmpty, frames.isEmpty { screen = size }
        guard frames.count < limits.maximumFrameCount else {
            throw DecodeLimits.exceeded(
                "the file has more than \(limits.maximumFrameCount) frames",
                "maximumFrameCount"
            )
        }
        try limits.check(source: size)
        let frame = GIFFrame(
            left: left,
            top: top,
            size: size,
            isInterlaced: packed & 0x40 != 0,
            palette: palette ?? globalPalette,
            transparentIndex: control.transparentIndex,
            disposal: control.disposal,
            delay: control.delay,
            minimumCodeSize: minimumCodeSize,
            dataOffset: codeSizeOffset + 1
        )
        chain.append(
            frame.rect,
            on: screen,
            disposal: frame.disposal.onCanvas,
            hidesAll: frame.covers(screen)
        )
        frames.append(frame)
        hasAlpha = hasAlpha || frame.transparentIndex != nil || (frames.count == 1 && !frame.covers(screen))
        control = GIFControl()
        position = codeSizeOffset + 1
        state = .imageData
    }

    private mutating func readExtension(_ bytes: BoundedBytes) {
        guard let label = bytes.uint8(at: position + 1), let length = bytes.uint8(at: position + 2).map(Int.init) else {
            return
        }
        let start = position + 3
        guard bytes.count >= start + length else { return }
        // An empty first sub-block is the terminator.
        state = length == 0 ? .block : .subBlocks
        if label == 0xF9, length >= 4, let block = GIFControl(bytes, at: start) { control = block }
        if label == 0xFF, length == 11, bytes.has("NETSCAPE2.0", at: start) || bytes.has("ANIMEXTS1.0", at: start) {
            state = .loopData
        }
        position = start + length
    }

    /// A sub-block with the number 1 holds the count (the Netscape extension); the last one in the file counts.
    private mutating func readLoopData(_ bytes: BoundedBytes) {
        let start = position + 1
        guard let length = passSubBlock(bytes) else { return }
        if length == 0 { state = .block }
        guard length >= 3, let number = bytes.uint8(at: start), number & 7 == 1 else { return }
        loopCount = bytes.littleEndian16(at: start + 1)
    }

    /// Passes over one sub-block; returns its length, 0 for the terminator, `nil` if it has not come whole.
    private mutating func passSubBlock(_ bytes: BoundedBytes) -> Int? {
        guard let length = bytes.uint8(at: position).map(Int.init), bytes.count > position + length else { return nil }
        position += 1 + length
        return length
    }

    private static func palette(packed: UInt8, offset: Int) -> GIFPalette? {
        packed & 0x80 == 0 ? nil : GIFPalette(offset: offset, count: 2 << Int(packed & 7))
    }

    /// The error for a file that breaks the rules of GIF.
    static func corrupt(_ message: String) -> ImageError {
        ImageError(.corruptImage, message, advice: "the file is broken; get it again from its source")
    }
}

/// A graphic control extension (GIF89a §23), which counts for the next image.
struct GIFControl {
    var disposal = GIFDisposal.keep
    var delay: Int?
    var transparentIndex: UInt8?

    init() {}

    /// - Parameter offset: where its first four bytes or more are.
    init?(_ bytes: BoundedBytes, at offset: Int) {
        guard let packed = bytes.uint8(at: offset), let delay = bytes.littleEndian16(at: offset + 1),
            let index = bytes.uint8(at: offset + 3)
        else { return nil }
        disposal = GIFDisposal(packed: packed)
        self.delay = delay
        transparentIndex = packed & 1 == 0 ? nil : index
    }
}

extension BoundedBytes {
    fileprivate func littleEndian16(at offset: Int) -> Int? { uint16(at: offset, bigEndian: false).map(Int.init) }

    fileprivate func size(at offset: Int) -> PixelSize? {
        guard let width = littleEndian16(at: offset), let height = littleEndian16(at: offset + 2) else { return nil }
        return PixelSize(width: width, height: height)
    }
}
