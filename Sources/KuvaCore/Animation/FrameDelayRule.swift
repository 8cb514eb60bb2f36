/// How long a frame is shown for which the file gives a very short time or none.
///
/// Old files say 0 and mean "as fast as you can", which was slow when they were made.
public struct FrameDelayRule: Hashable, Sendable {
    /// Times up to this one are replaced.
    private let longestReplaced: Duration
    /// Whether a frame without a time gets that of the frame before it.
    private let repeatsLast: Bool

    /// What is shown in place of what is replaced: a tenth of a second.
    public static let replacement = Duration.milliseconds(100)

    private init(longestReplaced: Duration, repeatsLast: Bool) {
        self.longestReplaced = longestReplaced
        self.repeatsLast = repeatsLast
    }

    /// What WebKit, Chromium and Firefox do, and the default: 10 ms or less, or no time, becomes 100 ms.
    public static let browsers = FrameDelayRule(longestReplaced: .milliseconds(10), repeatsLast: false)

    /// What FLAnimatedImage does: less than 20 ms becomes 100 ms; without a time, that of the frame before, or 100 ms
    /// for the first.
    public static let flAnimatedImage = FrameDelayRule(
        // The unit of time in GIF is 10 ms; in other formats something may lie just below 20 ms.
        longestReplaced: .milliseconds(20) - .nanoseconds(1),
        repeatsLast: true
    )

    /// How long a frame is shown.
    ///
    /// - Parameters:
    ///   - stored: what the file says.
    ///   - last: how long the frame before is shown; `nil` for the first.
    public func duration(stored: Duration?, after last: Duration?) -> Duration {
        guard let stored else { return repeatsLast ? last ?? Self.replacement : Self.replacement }
        return stored <= longestReplaced ? Self.replacement : stored
    }
}
