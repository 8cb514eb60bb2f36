internal import CGTK
internal import KuvaUI

/// A transition from its first frame to its end.
@MainActor
final class TransitionRun {
    private let transition: ImageTransition
    private let onStep: @MainActor (Double) -> Void
    private let completion: @MainActor (Bool) -> Void
    private var ticker: FrameTicker?
    private var start: Duration?
    private var hasEnded = false

    /// - Parameters:
    ///   - onStep: called for each frame with how far the transition is, the last time with 1.
    ///   - completion: called once, with whether the transition came to its end.
    init(
        _ transition: ImageTransition,
        in widget: UnsafeMutableRawPointer,
        onStep: @escaping @MainActor (Double) -> Void,
        completion: @escaping @MainActor (Bool) -> Void
    ) {
        self.transition = transition
        self.onStep = onStep
        self.completion = completion
        ticker = FrameTicker(widget) { [weak self] time in self?.frame(time) ?? false }
    }

    /// Ends it early: the picture is there at once. The widget must still live.
    func stop() {
        guard !hasEnded else { return }
        ticker?.stop()
        end(isFinished: false)
    }

    /// The widget is gone.
    func abandon() {
        guard !hasEnded else { return }
        hasEnded = true
        ticker = nil
        completion(false)
    }

    private func frame(_ time: Duration) -> Bool {
        guard !hasEnded else { return false }
        let start = start ?? time
        self.start = start
        let part = transition.duration > .zero ? (time - start) / transition.duration : 1
        guard part < 1 else {
            end(isFinished: true)
            return false
        }
        step(ImageTransition.eased(part))
        return true
    }

    private func step(_ progress: Double) {
        onStep(progress)
        transition.step?(progress)
    }

    private func end(isFinished: Bool) {
        hasEnded = true
        ticker = nil
        step(1)
        completion(isFinished)
    }
}
