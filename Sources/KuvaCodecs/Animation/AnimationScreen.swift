internal import KuvaCore

/// Draws the frames of an animation one over the other, and goes back to one that depends on none where it must.
final class AnimationScreen {
    private var canvas: AnimationCanvas
    private let orientation: Orientation
    /// The frame that is drawn next; 0 for an empty screen.
    private var next = 0
    /// Whether a frame has been begun and not ended, so that the screen is of no use.
    private var isTorn = false
    /// What the last frame drawn lacks.
    private var damage: ImageError?

    /// - Parameter orientation: how the screen is turned to be upright.
    /// - Throws: `out-of-memory`.
    init(
        size: PixelSize,
        orientation: Orientation = .up,
        composition: AnimationCanvas.Composition = .premultiplied
    ) throws(ImageError) {
        canvas = try AnimationCanvas(size: size, composition: composition)
        self.orientation = orientation
    }

    /// Draws up to the frame `target` and writes the screen into `output`.
    ///
    /// - Parameter draw: draws one frame, from ``AnimationCanvas/begin(_:disposal:)`` on, and returns what it lacks; what
    ///   it throws ends the call.
    /// - Returns: what alpha turned out to mean, and what the frame lacks.
    func show(
        _ target: Int,
        of chain: inout FrameChain,
        into output: inout PixelCanvas,
        draw: (_ frame: Int, _ canvas: inout AnimationCanvas) throws(ImageError) -> ImageError?
    ) throws(ImageError) -> (alpha: AlphaMode, damage: ImageError?) {
        if isTorn || target != next - 1 { try drawFrames(to: target, of: &chain, draw) }
        var writer = try FrameWriter(
            storedSize: canvas.size,
            rowAlpha: canvas.rowAlpha,
            orientation: orientation,
            output: output.layout
        )
        canvas.emit(rows: 0..<canvas.size.height, to: &writer, into: &output)
        return (writer.finish(into: &output), damage)
    }

    private func drawFrames(
        to target: Int,
        of chain: inout FrameChain,
        _ draw: (_ frame: Int, _ canvas: inout AnimationCanvas) throws(ImageError) -> ImageError?
    ) throws(ImageError) {
        if isTorn || !(chain.key(of: target)...target).contains(next) {
            canvas.reset()
            next = chain.key(of: target)
        }
        while next <= target {
            isTorn = true
            damage = try draw(next, &canvas)
            isTorn = false
            if damage != nil, chain.hidesNothing(next) {
                canvas.reset()
                next = chain.key(of: target)
            } else {
                next += 1
            }
        }
    }
}
