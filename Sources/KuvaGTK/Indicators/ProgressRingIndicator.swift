public import KuvaCore

/// A ring that fills with the bytes of a picture, with the per cent in it; it turns while their number is not known.
@MainActor
public final class ProgressRingIndicator: WidgetIndicator {
    private let ring = CircularProgressView()

    /// The widget of the ``CircularProgressView``.
    public var widget: UnsafeMutableRawPointer { ring.widget }

    /// Makes a ring that stands still.
    public init() { centre(ring.widget) }

    /// Turns until the first bytes are there.
    public func start() { ring.show(LoadProgress(receivedByteCount: 0, expectedByteCount: nil)) }

    /// Fills the ring as far as the bytes have come.
    public func update(_ progress: LoadProgress) { ring.show(progress) }

    /// Fills the ring and stands still.
    public func stop() { ring.show(LoadProgress(receivedByteCount: 1, expectedByteCount: 1)) }
}
