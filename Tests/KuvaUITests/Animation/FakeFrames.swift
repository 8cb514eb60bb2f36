import Dispatch
import KuvaCore

@testable import KuvaUI

/// An animation whose frames are one pixel each, red by their number. Records what is decoded.
final class FakeFrames: AnimatedImageProvider {
    let format = ImageFormat.gif
    let layout: PixelLayout
    let encodedByteCount = 0
    private let state: Lock<(timeline: AnimationTimeline, decoded: [Int])>

    init(_ timeline: AnimationTimeline, size: PixelSize = PixelSize(width: 1, height: 1)) throws {
        layout = try PixelLayout(size: size)
        state = Lock((timeline, []))
    }

    var timeline: AnimationTimeline { state.withLock { $0.timeline } }
    var decoded: [Int] { state.withLock { $0.decoded } }
    func grow(_ change: (inout AnimationTimeline) -> Void) { state.withLock { change(&$0.timeline) } }

    func frame(at index: Int, pool: PixelBufferPool) throws(ImageError) -> PixelBuffer {
        state.withLock { $0.decoded.append(index) }
        var canvas = try pool.canvas(layout)
        canvas.clear(rows: 0..<layout.height)
        canvas.withUnsafeMutableBytes { $0[0] = UInt8(truncatingIfNeeded: index) }
        return canvas.freeze()
    }

    func image() throws -> AnimatedImage { try AnimatedImage(firstOf: self) }
}

extension PixelBuffer {
    /// The number of the frame that ``FakeFrames`` made.
    var number: Int { Int(rgba(x: 0, y: 0)?.red ?? 255) }
}

/// Work that waits until a test runs it.
final class HeldWork: Sendable {
    private let waiting = Lock<[@Sendable () -> Void]>([])

    func submit(_ work: @escaping @Sendable () -> Void) { waiting.withLock { $0.append(work) } }
    var count: Int { waiting.withLock { $0.count } }

    /// Runs what waits now, and not what that submits.
    func runOnce() {
        for work in waiting.withLock({ work in
            defer { work = [] }; return work
        }) { work() }
    }
    func runAll() { while count > 0 { runOnce() } }
}

/// Returns once all that the main queue had waiting has run.
@MainActor
func mainQueueRuns() async {
    await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
}

extension AnimationTimeline {
    init(milliseconds: [Int], laps: Int? = nil, isComplete: Bool = true) {
        self.init(durations: milliseconds.map { .milliseconds($0) }, lapCount: laps, isComplete: isComplete)
    }
}
