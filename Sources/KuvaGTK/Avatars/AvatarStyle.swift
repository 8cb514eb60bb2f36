internal import CGTK

/// How avatars look: below the user's theme and the program, so that both can change it.
@MainActor
enum AvatarStyle {
    /// Dark enough for white letters: at least 4.5 to 1, as WCAG 2.1 (1.4.3) wants it.
    static let colours = [
        "#3465a4", "#75507b", "#a40000", "#8f5902", "#4e6f12", "#0f6f6a", "#5c5f62", "#9b2f63", "#2d5f8b", "#7a4f01",
    ]

    private static let sheet = StyleSheet(
        css: ([".kuva-avatar { border-radius: 9999px; color: white; font-weight: bold; }"]
            + colours.enumerated().map { ".kuva-avatar-\($0) { background-color: \($1); }" })
            .joined(separator: "\n"),
        yieldsToTheme: true,
        key: "kuva-avatar-style"
    )

    /// Gives the style to a display, once.
    static func apply(to display: OpaquePointer?) { sheet.apply(to: display) }
}
