internal import FoundationEssentials
internal import KuvaCore

/// An APNG being written. It holds the frame before, to find what changes.
struct APNGFile: AnimationFileWriter {
    private let size: PixelSize
    private let level: Int
    private let cancellation: CancellationFlag?
    private let lapCount: UInt32
    private var file = Data()
    /// Where the chunk lies that says how many frames there are, known at the end.
    private let controlOffset: Int
    private var frameCount: UInt32 = 0
    private var sequence: UInt32 = 0
    private var last: PixelBuffer?

    private enum Blend: UInt8 {
        case source = 0
        case over = 1
    }

    init(size: PixelSize, lapCount: Int?, level: Int, cancellation: CancellationFlag?) {
        (self.size, self.level, self.cancellation) = (size, level, cancellation)
        // 0 is for ever (§11.3.6.1).
        self.lapCount = lapCount.map { UInt32(clamping: min(Int(Int32.max), max(1, $0))) } ?? 0
        file.append(contentsOf: PNGFileChunk.signature)
        PNGFileChunk.append("IHDR", PNGFileChunk.header(size, hasAlpha: true), to: &file)
        // Rendering intent 0, perceptual (§11.3.2.5).
        PNGFileChunk.append("sRGB", [0], to: &file)
        controlOffset = file.count
        PNGFileChunk.append("acTL", [UInt8](repeating: 0, count: 8), to: &file)
    }

    mutating func write(_ frame: PixelBuffer, duration: Duration) throws(ImageError) {
        let change = last.map { Self.change(from: $0, to: frame) }
        let rect = change?.rect ?? PixelRect(x: 0, y: 0, size: size)
        var (data, blend) = (try deflate(frame, rect: rect), Blend.source)
        if let last, change?.canBlend == true {
            let over = try deflate(Self.changes(from: last, to: frame, in: rect), rect: nil)
            if over.count < data.count { (data, blend) = (over, .over) }
        }
        appendControl(rect, duration: duration, blend: blend)
        if frameCount == 0 {
            PNGFileChunk.append("IDAT", data, to: &file)
        } else {
            PNGFileChunk.append("fdAT", PNGFileChunk.bigEndian(takeSequence()) + data, to: &file)
        }
        frameCount += 1
        last = frame
    }

    mutating func finish() throws(ImageError) -> Data {
        var control = Data()
        let numbers = PNGFileChunk.bigEndian(frameCount) + PNGFileChunk.bigEndian(lapCount)
        PNGFileChunk.append("acTL", numbers, to: &control)
        file.replaceSubrange(controlOffset..<(controlOffset + control.count), with: control)
        PNGFileChunk.append("IEND", [], to: &file)
        return file
    }

    private func deflate(_ pixels: PixelBuffer, rect: PixelRect?) throws(ImageError) -> [UInt8] {
        let rect = rect ?? PixelRect(x: 0, y: 0, size: pixels.layout.size)
        var data: [UInt8] = []
        try PNGRowDeflater(size: rect.size, hasAlpha: true, level: level)
            .deflate(pixels, from: rect, cancellation: cancellation) { data.append(contentsOf: $0) }
        return data
    }

    private mutating func takeSequence() -> UInt32 {
        defer { sequence += 1 }
        return sequence
    }

    /// §11.3.6.2. Every frame stays for the next one: drawn in place of what was there, a frame can also clear.
    private mutating func appendControl(_ rect: PixelRect, duration: Duration, blend: Blend) {
        var bytes: [UInt8] = []
        for value in [rect.size.width, rect.size.height, rect.x, rect.y] {
            bytes += PNGFileChunk.bigEndian(UInt32(value))
        }
        let time = duration.fraction16
        for value in [time.numerator, time.denominator] { bytes += [UInt8(value >> 8), UInt8(value & 0xFF)] }
        PNGFileChunk.append("fcTL", PNGFileChunk.bigEndian(takeSequence()) + bytes + [0, blend.rawValue], to: &file)
    }

    /// - Returns: the rectangle that changes, one pixel if none does; and whether drawing its changed pixels over the
    ///   last frame gives the next, and leaves some out.
    private static func change(from last: PixelBuffer, to next: PixelBuffer) -> (rect: PixelRect, canBlend: Bool) {
        withPixels(of: last, next) { old, new in
            guard let rect = FrameDifference.rect(from: old, to: new, size: next.layout.size, where: { $0 != $1 })
            else {
                return (PixelRect(x: 0, y: 0, width: 1, height: 1), false)
            }
            let width = next.layout.width
            var staysSomewhere = false
            let opaque = UInt32(littleEndian: 0xFF00_0000)
            for y in rect.y..<(rect.y + rect.size.height) {
                for place in (y * width + rect.x)..<(y * width + rect.x + rect.size.width) {
                    if old[place] == new[place] {
                        staysSomewhere = true
                    } else if new[place] & opaque != opaque {
                        return (rect, false)
                    }
                }
            }
            return (rect, staysSomewhere)
        }
    }

    /// The rectangle with nothing where the pixel stays.
    private static func changes(
        from last: PixelBuffer,
        to next: PixelBuffer,
        in rect: PixelRect
    ) throws(ImageError) -> PixelBuffer {
        var canvas = try PixelBufferPool.shared.canvas(PixelLayout(size: rect.size))
        let (width, columns) = (next.layout.width, rect.size.width)
        withPixels(of: last, next) { old, new in
            canvas.withUnsafeMutableBytes { bytes in
                let target = bytes.baseAddress!.assumingMemoryBound(to: UInt32.self)
                for y in 0..<rect.size.height {
                    let start = (rect.y + y) * width + rect.x
                    for x in 0..<columns {
                        let pixel = new[start + x]
                        target[y * columns + x] = old[start + x] == pixel ? 0 : pixel
                    }
                }
            }
        }
        return canvas.freeze(alpha: .premultiplied)
    }

    /// Layouts are packed, so that all pixels lie one behind the other.
    private static func withPixels<R>(
        of last: PixelBuffer,
        _ next: PixelBuffer,
        _ body: (_ old: UnsafePointer<UInt32>, _ new: UnsafePointer<UInt32>) -> R
    ) -> R {
        last.withUnsafeBytes { old in
            next.withUnsafeBytes { new in
                body(
                    old.baseAddress!.assumingMemoryBound(to: UInt32.self),
                    new.baseAddress!.assumingMemoryBound(to: UInt32.self)
                )
            }
        }
    }
}
