/// How a picture takes the place of another.
public struct ImageTransition: Sendable {
    /// What is seen.
    public enum Style: Hashable, Sendable {
        /// The picture fades in over what was there.
        case crossfade
        /// The picture comes in from a side and pushes what was there out.
        case slide(from: Edge)
        /// What was there turns away, and the picture is on its back.
        case flip(from: Edge)
        /// Nothing but what ``ImageTransition/step`` does.
        case custom
    }

    /// A side of a view; leading and trailing follow the direction in which the user's language is written.
    public enum Edge: Hashable, Sendable, CaseIterable {
        /// Left, or right where text runs from right to left.
        case leading
        /// Right, or left where text runs from right to left.
        case trailing
        /// Above.
        case top
        /// Below.
        case bottom
    }

    /// What is seen.
    public var style: Style

    /// How long it takes; half a second by default.
    public var duration: Duration

    /// Whether pictures from memory, which are shown at once, get the transition too; `false` by default.
    public var appliesToMemoryHits: Bool

    /// Called just before the picture takes its place.
    public var prepare: (@MainActor @Sendable () -> Void)?

    /// Called for each frame with how far the transition is, from 0 to 1, eased; the last call has 1.
    public var step: (@MainActor @Sendable (Double) -> Void)?

    /// Called when the transition has come to its end; not if another picture or a cancelling ends it early.
    public var completion: (@MainActor @Sendable () -> Void)?

    /// Makes a transition.
    public init(
        _ style: Style,
        duration: Duration = .milliseconds(500),
        appliesToMemoryHits: Bool = false,
        prepare: (@MainActor @Sendable () -> Void)? = nil,
        step: (@MainActor @Sendable (Double) -> Void)? = nil,
        completion: (@MainActor @Sendable () -> Void)? = nil
    ) {
        self.style = style
        self.duration = duration
        self.appliesToMemoryHits = appliesToMemoryHits
        self.prepare = prepare
        self.step = step
        self.completion = completion
    }

    /// Fades in half a second.
    public static let crossfade = ImageTransition(.crossfade)

    /// Slides in from the trailing side in half a second.
    public static let slide = ImageTransition(.slide(from: .trailing))

    /// Turns around from the trailing side in half a second.
    public static let flip = ImageTransition(.flip(from: .trailing))

    /// How far the transition is to be seen after a part of its time, both from 0 to 1: it begins and ends slowly.
    public static func eased(_ part: Double) -> Double {
        let part = min(1, max(0, part))
        return part < 0.5 ? 4 * part * part * part : 1 - 4 * (1 - part) * (1 - part) * (1 - part)
    }
}
