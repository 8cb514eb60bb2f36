internal import CGTK

/// What the user does with a view to see its highlighted picture.
public struct HighlightCauses: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// Makes causes from bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The pointer is over the view.
    public static let hover = HighlightCauses(rawValue: 1)
    /// A button of the pointer, or a finger, is down on the view.
    public static let press = HighlightCauses(rawValue: 2)
}

/// Makes a view highlighted while the user does something with it.
@MainActor
final class HighlightTriggers {
    let causes: HighlightCauses
    private var active: HighlightCauses = []
    private let onChange: @MainActor (Bool) -> Void
    private let widget: UnsafeMutableRawPointer
    private var controllers: [OpaquePointer] = []

    init(_ causes: HighlightCauses, on widget: UnsafeMutableRawPointer, onChange: @escaping @MainActor (Bool) -> Void) {
        self.causes = causes
        self.widget = widget
        self.onChange = onChange
        if causes.contains(.hover), let motion = gtk_event_controller_motion_new() {
            add(motion, [("enter", true), ("leave", false)], for: .hover)
        }
        if causes.contains(.press), let click = gtk_gesture_click_new() {
            add(click, [("pressed", true), ("released", false), ("cancel", false)], for: .press)
        }
    }

    /// Ends it. The widget must still live.
    func stop() {
        for controller in controllers { gtk_widget_remove_controller(widget.asWidget, controller) }
        controllers = []
    }

    private func add(_ controller: OpaquePointer, _ signals: [(name: String, isOn: Bool)], for cause: HighlightCauses) {
        for signal in signals {
            Signal.connect(UnsafeMutableRawPointer(controller), signal.name) { [weak self] in
                self?.set(cause, signal.isOn)
            }
        }
        gtk_widget_add_controller(widget.asWidget, controller)
        controllers.append(controller)
    }

    private func set(_ cause: HighlightCauses, _ isOn: Bool) {
        if isOn { active.insert(cause) } else { active.remove(cause) }
        onChange(!active.isEmpty)
    }
}

extension ImageView {
    /// What the user does to see the highlighted picture, besides ``isHighlighted`` set by the program; nothing by
    /// default.
    public var highlightsOn: HighlightCauses {
        get { highlightTrigger?.causes ?? [] }
        set {
            guard isAlive, newValue != highlightsOn else { return }
            highlightTrigger?.stop()
            highlightTrigger =
                newValue.isEmpty
                ? nil : HighlightTriggers(newValue, on: widget) { [weak self] in self?.isHighlighted = $0 }
        }
    }
}
