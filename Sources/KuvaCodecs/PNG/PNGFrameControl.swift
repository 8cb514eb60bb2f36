internal import KuvaCore

/// What an fcTL chunk says about one frame of an animation (PNG third edition, §11.3.6.2).
struct PNGFrameControl {
    let size: PixelSize
    let left: Int
    let top: Int
    let duration: Duration
    let disposal: AnimationCanvas.Disposal
    let blend: AnimationCanvas.Blend

    var rect: PixelRect { PixelRect(x: left, y: top, size: size) }

    static let byteCount = 26

    /// `nil` for a frame that is empty or does not lie inside the canvas.
    init?(_ bytes: [UInt8], canvas: PixelSize) {
        guard bytes.count == Self.byteCount else { return nil }
        size = PixelSize(width: Int(bytes.bigEndian32(at: 4)), height: Int(bytes.bigEndian32(at: 8)))
        left = Int(bytes.bigEndian32(at: 12))
        top = Int(bytes.bigEndian32(at: 16))
        guard !size.isEmpty, left + size.width <= canvas.width, top + size.height <= canvas.height else { return nil }
        let denominator = bytes.bigEndian16(at: 22)
        // "If the denominator is 0, it is to be treated as if it were 100."
        duration = .seconds(Int(bytes.bigEndian16(at: 20))) / (denominator == 0 ? 100 : Int(denominator))
        // What the first frame restores is the empty canvas, as §11.3.6.2 wants it.
        disposal = bytes[24] == 1 ? .clear : bytes[24] == 2 ? .restore : .keep
        blend = bytes[25] == 1 ? .over : .replace
    }

    /// The default image: all of the canvas.
    init(canvas: PixelSize) {
        size = canvas
        left = 0
        top = 0
        duration = .zero
        disposal = .keep
        blend = .replace
    }
}
