internal import Dispatch
public import KuvaCore
public import KuvaUI

/// A view that writes down what it is told: `display 12` (the width in pixels), `display nothing`, `loading`, `idle`,
/// `progress 7` (bytes).
@MainActor
public final class RecordingView: ImageDisplaying {
    /// What was told, in order.
    public private(set) var log: [String] = []

    /// What the view answers when a load asks for its size.
    public var size = PictureSize.natural

    /// Makes a view that shows nothing.
    public init() {}

    /// See `ImageDisplaying`.
    public private(set) var isDisplayingImage = false

    /// See `ImageDisplaying`.
    public func display(_ image: Image?) {
        isDisplayingImage = image != nil
        log.append(image.map { "display \($0.pixelSize.width)" } ?? "display nothing")
    }

    /// See `ImageDisplaying`.
    public func pictureSize() -> PictureSize { size }

    /// See `ImageDisplaying`.
    public func setLoading(_ isLoading: Bool) { log.append(isLoading ? "loading" : "idle") }

    /// See `ImageDisplaying`.
    public func setProgress(_ progress: LoadProgress) { log.append("progress \(progress.receivedByteCount)") }
}

/// Returns when everything that was in the main queue before the call has run.
public func drainMainQueue() async {
    await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
}
