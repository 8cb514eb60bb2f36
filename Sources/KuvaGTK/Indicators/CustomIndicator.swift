internal import CGTK
public import KuvaCore

/// Any widget as an indicator: seen while something loads, and told of the progress.
@MainActor
public final class CustomIndicator: WidgetIndicator {
    /// The `GtkWidget`.
    public let widget: UnsafeMutableRawPointer

    private let onUpdate: @MainActor (LoadProgress) -> Void

    /// - Parameters:
    ///   - widget: a `GtkWidget` without a parent.
    ///   - onUpdate: called as bytes come, first with none of them; must not keep the view alive.
    public init(_ widget: UnsafeMutableRawPointer, onUpdate: @escaping @MainActor (LoadProgress) -> Void = { _ in }) {
        self.widget = widget
        self.onUpdate = onUpdate
    }

    /// Tells of a progress of nothing.
    public func start() { onUpdate(LoadProgress(receivedByteCount: 0, expectedByteCount: nil)) }

    /// Tells of the progress.
    public func update(_ progress: LoadProgress) { onUpdate(progress) }

    /// Nothing; the view hides the widget.
    public func stop() {}
}
