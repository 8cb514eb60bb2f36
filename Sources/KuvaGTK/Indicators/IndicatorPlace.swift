internal import CGTK
internal import KuvaCore
internal import KuvaUI

/// Where a view's indicator is: over its picture, in a `GtkOverlay`, made when it is first needed.
@MainActor
final class IndicatorPlace {
    var isWanted = false {
        didSet { update() }
    }
    var style = IndicatorStyle.spinner(.medium) {
        didSet {
            remove()
            update()
        }
    }
    private(set) var isLoading = false

    private let overlay: @MainActor () -> UnsafeMutableRawPointer?
    private var indicator: (any WidgetIndicator)?
    private var isRunning = false
    private var isAlive = true

    /// - Parameter overlay: gives the `GtkOverlay`; `nil` if there is no place for an indicator.
    init(overlay: @escaping @MainActor () -> UnsafeMutableRawPointer?) { self.overlay = overlay }

    func setLoading(_ isLoading: Bool) {
        self.isLoading = isLoading
        update()
    }

    func setProgress(_ progress: LoadProgress) {
        if isRunning { indicator?.update(progress) }
    }

    /// The widgets are gone.
    func end() {
        isAlive = false
        isRunning = false
        indicator = nil
    }

    private func update() {
        guard isAlive else { return }
        let isRunning = isWanted && isLoading
        if isRunning, indicator == nil { make() }
        guard let indicator, isRunning != self.isRunning else { return }
        self.isRunning = isRunning
        gtk_widget_set_visible(indicator.widget.asWidget, isRunning.gboolean)
        if isRunning { indicator.start() } else { indicator.stop() }
    }

    private func make() {
        guard let overlay = overlay() else { return }
        let made = style.make()
        gtk_widget_set_can_target(made.widget.asWidget, 0)
        gtk_overlay_add_overlay(overlay.opaque, made.widget.asWidget)
        indicator = made
    }

    private func remove() {
        guard isAlive, let indicator, let overlay = overlay() else { return }
        if isRunning { indicator.stop() }
        isRunning = false
        self.indicator = nil
        gtk_overlay_remove_overlay(overlay.opaque, indicator.widget.asWidget)
    }
}
