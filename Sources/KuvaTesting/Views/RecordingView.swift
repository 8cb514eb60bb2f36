internal import Dispatch
public import KuvaCore
public import KuvaUI

/// A view that writes down what it is told: `display 12` (the width in pixels), `display nothing`, `loading`, `idle`,
/// `progress 7` (bytes), `transition 12`. What concerns another slot than that of the picture has its name in front:
/// `highlighted image: display 12`.
@MainActor
public final class RecordingView: ImageDisplaying {
    /// What was told, in order.
    public private(set) var log: [String] = []

    /// What the view answers when a load asks for its size.
    public var size = PictureSize.natural

    /// Ends of transitions that a test has not called yet, if the view does not end them by itself.
    public private(set) var runningTransitions: [@MainActor (Bool) -> Void] = []

    /// Whether transitions go on until the test ends them; `false` by default.
    public var holdsTransitions = false

    private var images: [ImageSlot: Image] = [:]

    /// Makes a view that shows nothing.
    public init() {}

    /// Forgets what was told.
    public func clearLog() { log = [] }

    /// See `ImageDisplaying`.
    public func display(_ image: Image?, in slot: ImageSlot) {
        endTransitions(isFinished: false)
        images[slot] = image
        write(image.map { "display \($0.pixelSize.width)" } ?? "display nothing", slot)
    }

    /// See `ImageDisplaying`.
    public func displayedImage(in slot: ImageSlot) -> Image? { images[slot] }

    /// See `ImageDisplaying`.
    public func display(
        _ image: Image,
        in slot: ImageSlot,
        with transition: ImageTransition,
        completion: @escaping @MainActor (Bool) -> Void
    ) {
        endTransitions(isFinished: false)
        transition.prepare?()
        images[slot] = image
        write("transition \(image.pixelSize.width)", slot)
        transition.step?(1)
        if holdsTransitions { runningTransitions.append(completion) } else { completion(true) }
    }

    /// Ends the transitions that are held.
    public func endTransitions(isFinished: Bool) {
        let ends = runningTransitions
        runningTransitions = []
        for end in ends { end(isFinished) }
    }

    /// See `ImageDisplaying`.
    public func pictureSize(in slot: ImageSlot) -> PictureSize { size }

    /// See `ImageDisplaying`.
    public func setLoading(_ isLoading: Bool, in slot: ImageSlot) { write(isLoading ? "loading" : "idle", slot) }

    /// See `ImageDisplaying`.
    public func setProgress(_ progress: LoadProgress, in slot: ImageSlot) {
        write("progress \(progress.receivedByteCount)", slot)
    }

    private func write(_ text: String, _ slot: ImageSlot) {
        log.append(slot == .image ? text : "\(slot): \(text)")
    }
}

/// Returns when everything that was in the main queue before the call has run, and what that put there.
public func drainMainQueue() async {
    for _ in 0..<2 {
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    }
}
