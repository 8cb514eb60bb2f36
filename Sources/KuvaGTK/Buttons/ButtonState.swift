internal import CGTK
public import KuvaUI

/// A state of a button that can have pictures of its own.
public enum ButtonState: String, Hashable, Sendable, CaseIterable {
    /// None of the others; what they fall back to.
    case normal
    /// The pointer is over the button.
    case hover
    /// The button is pressed.
    case active
    /// A toggle button is on.
    case checked
    /// The button cannot be used.
    case disabled
    /// The button has the keyboard's focus, and that is to be seen.
    case focused

    /// The states that the flags of a widget mean, the one that counts most first. Every button is in the normal one.
    static func states(of flags: GtkStateFlags) -> [ButtonState] {
        let order: [(GtkStateFlags, ButtonState)] = [
            (GTK_STATE_FLAG_INSENSITIVE, .disabled), (GTK_STATE_FLAG_ACTIVE, .active),
            (GTK_STATE_FLAG_CHECKED, .checked), (GTK_STATE_FLAG_PRELIGHT, .hover),
            (GTK_STATE_FLAG_FOCUS_VISIBLE, .focused),
        ]
        return order.filter { flags.rawValue & $0.0.rawValue != 0 }.map(\.1) + [.normal]
    }
}

extension ImageSlot {
    /// The picture of a button in a state.
    public static func buttonImage(_ state: ButtonState) -> ImageSlot { ImageSlot("button image, \(state.rawValue)") }

    /// The picture behind the content of a button in a state.
    public static func buttonBackground(_ state: ButtonState) -> ImageSlot {
        ImageSlot("button background, \(state.rawValue)")
    }
}
