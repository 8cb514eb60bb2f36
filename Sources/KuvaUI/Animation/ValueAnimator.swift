internal import KuvaCore

/// How a value goes from its start to its end.
public struct AnimationCurve: Hashable, Sendable {
    private let x1: Double
    private let y1: Double
    private let x2: Double
    private let y2: Double

    /// Evenly.
    public static let linear = AnimationCurve(x1: 0, y1: 0, x2: 1, y2: 1)
    /// Slowly at first (CSS `ease-in`).
    public static let easeIn = AnimationCurve(x1: 0.42, y1: 0, x2: 1, y2: 1)
    /// Slowly at last (CSS `ease-out`).
    public static let easeOut = AnimationCurve(x1: 0, y1: 0, x2: 0.58, y2: 1)
    /// Slowly at both ends (CSS `ease-in-out`).
    public static let easeInOut = AnimationCurve(x1: 0.42, y1: 0, x2: 0.58, y2: 1)

    /// A cubic Bézier curve from 0,0 to 1,1 (CSS Easing Functions, §2.2.1); x is cut to 0...1.
    public init(x1: Double, y1: Double, x2: Double, y2: Double) {
        self.x1 = min(1, max(0, x1))
        self.y1 = y1
        self.x2 = min(1, max(0, x2))
        self.y2 = y2
    }

    /// How much of the way is done after a part of the time; both from 0 to 1.
    public func progress(at time: Double) -> Double {
        guard time > 0 else { return 0 }
        guard time < 1 else { return 1 }
        // x grows with the parameter, so that halving finds it; 40 halvings are more than a pixel can show.
        var (low, high) = (0.0, 1.0)
        for _ in 0..<40 {
            let middle = (low + high) / 2
            if Self.cubic(x1, x2, middle) < time { low = middle } else { high = middle }
        }
        return Self.cubic(y1, y2, (low + high) / 2)
    }

    private static func cubic(_ first: Double, _ second: Double, _ t: Double) -> Double {
        let rest = 1 - t
        return 3 * rest * rest * t * first + 3 * rest * t * t * second + t * t * t
    }
}

/// Moves a number from one value to another over some time, on the ticks of a display link: an opacity, a position, the
/// volume of a sound.
@MainActor
public final class ValueAnimator {
    private let start: Double
    private let end: Double
    private let duration: Duration
    private let curve: AnimationCurve
    private let onChange: @MainActor (Double) -> Void
    private var completion: (@MainActor (_ isFinished: Bool) -> Void)?
    private var link: (any DisplayLink)?
    private var startTime: Duration?

    /// The value now.
    public private(set) var value: Double

    /// Starts to move a value. The first tick gives the start value, the first tick at or after the end the end value.
    ///
    /// - Parameters:
    ///   - duration: not positive for at once, on the first tick.
    ///   - completion: called exactly once: `true` at the end, `false` if ``cancel()`` came before.
    public init(
        from start: Double,
        to end: Double,
        over duration: Duration,
        curve: AnimationCurve = .easeInOut,
        link makeLink: DisplayLinkMaker,
        onChange: @escaping @MainActor (Double) -> Void,
        completion: (@MainActor (_ isFinished: Bool) -> Void)? = nil
    ) {
        self.start = start
        self.end = end
        self.duration = duration
        self.curve = curve
        self.onChange = onChange
        self.completion = completion
        value = start
        link = makeLink(weakly(self) { animator, link in animator.tick(link) })
    }

    isolated deinit { link?.invalidate() }

    /// Leaves the value where it is.
    public func cancel() { finish(false) }

    private func tick(_ link: any DisplayLink) {
        let startTime = startTime ?? link.timestamp
        self.startTime = startTime
        let time = duration > .zero ? (link.timestamp - startTime) / duration : 1
        value = time >= 1 ? end : start + (end - start) * curve.progress(at: time)
        onChange(value)
        if time >= 1 { finish(true) }
    }

    private func finish(_ isFinished: Bool) {
        link?.invalidate()
        link = nil
        let completion = completion
        self.completion = nil
        completion?(isFinished)
    }
}
