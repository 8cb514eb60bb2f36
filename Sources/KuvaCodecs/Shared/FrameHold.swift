internal import KuvaCore

/// The first frame of a decoder that is shown before it is whole.
///
/// A preview gets a copy of the rows that are there. They are decoded once, into a canvas that is held here until the
/// frame is whole; so each byte of the file is decoded once, and since a preview comes only with a sixteenth more rows,
/// at most sixteen copies are made.
struct FrameHold: ~Copyable {
    typealias Advance = (inout PixelCanvas) throws(ImageError) -> DecoderStep<FrameInfo>

    private var canvas: PixelCanvas?
    /// The whole frame, until it is asked for.
    private var frame: FrameInfo?
    /// Whether a frame was begun in the caller's canvas, so that there are no previews.
    private(set) var isBypassed = false
    private var shownRows = 0

    /// How many previews a picture has, at most, however it comes.
    static let maximumPreviews = 16

    /// Decodes the frame, in the canvas that is held if there is one.
    ///
    /// - Parameter advance: takes the frame as far as the bytes go.
    mutating func decodeFrame(
        into target: inout PixelCanvas,
        _ advance: Advance
    ) throws(ImageError) -> DecoderStep<FrameInfo> {
        guard var held = canvas.take() else {
            isBypassed = true
            return try advance(&target)
        }
        let step: DecoderStep<FrameInfo> = if let frame { .done(frame) } else { try advance(&held) }
        if case .done = step {
            isBypassed = true
            Self.copy(&held, to: &target)
        } else {
            canvas = consume held
        }
        return step
    }

    /// Goes on with the frame and copies what is there, if there is enough that is new.
    ///
    /// - Parameters:
    ///   - height: how many rows there will be.
    ///   - rowCount: how many there are after `advance`.
    mutating func decodePreview(
        into target: inout PixelCanvas,
        height: Int,
        rowCount: () -> Int,
        _ advance: Advance
    ) throws(ImageError) -> DecoderStep<FrameInfo> {
        guard !isBypassed, frame == nil else { return .needsMoreBytes }
        try hold(target.layout)
        guard var held = canvas.take() else { return .needsMoreBytes }
        let step = try advance(&held)
        var result = DecoderStep<FrameInfo>.needsMoreBytes
        if case .done(let whole) = step {
            frame = whole
            result = step
        } else if rowCount() - shownRows >= max(1, height / Self.maximumPreviews) {
            result = .done(FrameInfo(index: 0, alpha: .premultiplied))
        }
        if case .done = result {
            shownRows = rowCount()
            Self.copy(&held, to: &target)
        }
        canvas = consume held
        return result
    }

    /// Begins with a copy of a canvas, which the rows of the frame are laid over.
    mutating func begin(with picture: inout PixelCanvas) throws(ImageError) {
        try hold(picture.layout)
        guard var held = canvas.take() else { return }
        Self.copy(&picture, to: &held)
        canvas = consume held
    }

    /// Lends the canvas that is held, for previews that are more than a copy of it.
    mutating func withCanvas(_ body: (inout PixelCanvas) throws(ImageError) -> Void) throws(ImageError) {
        guard var held = canvas.take() else { return }
        try body(&held)
        canvas = consume held
    }

    /// Makes the canvas, empty, if there is none.
    private mutating func hold(_ layout: PixelLayout) throws(ImageError) {
        guard canvas == nil else { return }
        var made = try PixelBufferPool.shared.canvas(layout)
        made.clear(rows: 0..<layout.height)
        canvas = consume made
    }

    private static func copy(_ source: inout PixelCanvas, to target: inout PixelCanvas) {
        source.withUnsafeBytes { bytes in
            target.withUnsafeMutableBytes { $0.copyMemory(from: bytes) }
        }
    }
}
