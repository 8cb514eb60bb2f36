internal import FoundationEssentials
internal import KuvaCore

/// An animated GIF being written. A frame is written when the next has come: what that one needs cleared decides how the
/// frame is disposed of, and how large its rectangle is.
struct GIFAnimationFile: AnimationFileWriter {
    private let size: PixelSize
    private let cancellation: CancellationFlag?
    private var file = Data()
    private var times = RoundedTimes(unitsPerSecond: 100, most: 65_535)
    /// What is on the screen before the frame that waits: RGBA8, opaque or 0.
    private var screen: [UInt32]
    /// The frame that waits.
    private var frame: [UInt32]
    private var delay: Int?
    private var isFirst = true

    init(size: PixelSize, lapCount: Int?, cancellation: CancellationFlag?) {
        self.size = size
        self.cancellation = cancellation
        screen = [UInt32](repeating: 0, count: size.width * size.height)
        frame = screen
        // No table for all frames.
        file.append(contentsOf: Array("GIF89a".utf8) + Self.sides(size) + [0x70, 0, 0])
        guard lapCount != 1 else { return }
        // What is stored is how often the animation is repeated after the first time; 0 is for ever.
        let repeats = lapCount.map { min(65_535, max(1, $0 - 1)) } ?? 0
        let block: [UInt8] = [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1]
        file.append(contentsOf: block + GIFFrameEncoding.littleEndian(repeats) + [0])
    }

    mutating func write(_ next: PixelBuffer, duration: Duration) throws(ImageError) {
        let pixels = try Self.binary(next)
        if let delay { try flush(delay: delay, before: pixels) }
        frame = pixels
        delay = Int(times.next(duration, least: duration > .milliseconds(10) ? 2 : 0))
    }

    mutating func finish() throws(ImageError) -> Data {
        if let delay { try flush(delay: delay, before: nil) }
        file.append(0x3B)
        return file
    }

    /// The pixels with straight alpha of all or nothing.
    private static func binary(_ pixels: PixelBuffer) throws(ImageError) -> [UInt32] {
        let straight = try pixels.straightened()
        let isOpaque = straight.layout.alpha == .opaque
        let opaque = UInt32(littleEndian: 0xFF00_0000), half = UInt32(littleEndian: 0x8000_0000)
        return straight.withUnsafeBytes { bytes in
            bytes.bindMemory(to: UInt32.self).map { isOpaque || $0 & half != 0 ? $0 | opaque : 0 }
        }
    }

    private mutating func flush(delay: Int, before next: [UInt32]?) throws(ImageError) {
        // A pixel that is to be seen no more can only be cleared with the frame's rectangle, after the frame.
        let cleared = next.flatMap { FrameDifference.rect(from: frame, to: $0, size: size) { $0 != 0 && $1 == 0 } }
        let whole = PixelRect(x: 0, y: 0, size: size)
        let changed = isFirst ? whole : FrameDifference.rect(from: screen, to: frame, size: size) { $0 != $1 }
        // One pixel, if nothing changes: a frame is never empty.
        let rect =
            [changed, cleared].compactMap { $0 }.reduce(nil as PixelRect?) { $0?.union($1) ?? $1 }
            ?? PixelRect(x: 0, y: 0, width: 1, height: 1)
        try append(rect, delay: delay, clears: cleared != nil)
        swap(&screen, &frame)
        if cleared != nil {
            for y in rect.y..<(rect.y + rect.size.height) {
                let start = y * size.width + rect.x
                for place in start..<(start + rect.size.width) { screen[place] = 0 }
            }
        }
        isFirst = false
    }

    private mutating func append(_ rect: PixelRect, delay: Int, clears: Bool) throws(ImageError) {
        var (encoding, isPart) = try encode(rect, onlyChanges: true, clears: clears)
        // The index for what stays may be one colour too many.
        if !encoding.isExact, isPart {
            let all = try encode(rect, onlyChanges: false, clears: clears).encoding
            if all.isExact { encoding = all }
        }
        try cancellation?.check()
        let transparency = encoding.transparentIndex
        let flags: UInt8 = (clears ? 2 : 1) << 2 | (transparency == nil ? 0 : 1)
        file.append(contentsOf: [0x21, 0xF9, 4, flags] + GIFFrameEncoding.littleEndian(delay))
        file.append(contentsOf: [transparency ?? 0, 0, 0x2C])
        file.append(contentsOf: GIFFrameEncoding.littleEndian(rect.x) + GIFFrameEncoding.littleEndian(rect.y))
        file.append(contentsOf: Self.sides(rect.size) + [0x80 | encoding.tableExponent])
        encoding.appendTable(to: &file)
        try encoding.appendData(to: &file)
    }

    /// - Parameters:
    ///   - onlyChanges: whether pixels that stay as they are become transparent.
    ///   - clears: whether the frame's rectangle becomes transparent after it. Some viewers do that only for frames that
    ///     name a transparent colour, and give others a ground.
    /// - Returns: the frame's pixels in `rect`, and whether that was so for any of them.
    private func encode(
        _ rect: PixelRect,
        onlyChanges: Bool,
        clears: Bool
    ) throws(ImageError) -> (encoding: GIFFrameEncoding, isPart: Bool) {
        var pixels: [UInt32] = []
        pixels.reserveCapacity(rect.size.width * rect.size.height)
        var isPart = false
        for y in rect.y..<(rect.y + rect.size.height) {
            let start = y * size.width + rect.x
            for place in start..<(start + rect.size.width) {
                let pixel = frame[place]
                let stays = onlyChanges && pixel == screen[place]
                if stays, pixel != 0 { isPart = true }
                pixels.append(stays ? 0 : pixel)
            }
        }
        let encoding = try pixels.withUnsafeBufferPointer { pixels throws(ImageError) in
            let bytes = UnsafeRawBufferPointer(pixels)
            return try GIFFrameEncoding(
                bytes.baseAddress!.assumingMemoryBound(to: UInt8.self),
                size: rect.size,
                keepsTransparency: clears
            )
        }
        return (encoding, isPart)
    }

    private static func sides(_ size: PixelSize) -> [UInt8] {
        GIFFrameEncoding.littleEndian(size.width) + GIFFrameEncoding.littleEndian(size.height)
    }
}
