/// What a progress ring shows: an arc that grows clockwise from the top, and how many per cent it stands for. A value.
///
/// One tick adds one per cent and 3.6° until ``rate`` is reached; arc and label come from one number and always agree.
/// The seed of this ring says of a rate outside 1 to 100 that it becomes 100, and its code then ignores it; here a rate
/// below 0 is an empty ring and one above 100 a full one.
public struct CircularProgress: Hashable, Sendable {
    /// What the ring stands for.
    public enum Amount: Hashable, Sendable {
        /// Whole per cent, from 0 to 100.
        case percent(Int)
        /// Something goes on and no one knows how much of it is done.
        case indeterminate
    }

    /// Per cent at which the arc stops growing, from 0 to 100. Below what is shown already, it stops with the next tick.
    public var rate = 0 {
        didSet { rate = min(100, max(0, rate)) }
    }

    /// What is shown now.
    public private(set) var amount = Amount.percent(0)

    /// Whether ticks change anything.
    public private(set) var isRunning = false

    /// Where the arc begins: at the top. Degrees clockwise from three o'clock.
    public static let startAngle = -90.0
    /// Degrees of one per cent.
    public static let degreesPerPercent = 3.6

    /// Makes an empty ring.
    public init(rate: Int = 0) { self.rate = min(100, max(0, rate)) }

    /// Per cent shown; 0 for ``Amount/indeterminate``.
    public var percent: Int { if case .percent(let value) = amount { value } else { 0 } }

    /// The text in the middle: `0%` to `100%`, empty for ``Amount/indeterminate``.
    public var label: String { if case .percent(let value) = amount { "\(value)%" } else { "" } }

    /// Where the arc ends, in degrees clockwise from three o'clock.
    public var endAngle: Double { Self.startAngle + Double(percent) * Self.degreesPerPercent }

    /// Starts from an empty ring. Returns whether it did: while it runs nothing happens.
    public mutating func start() -> Bool {
        guard !isRunning else { return false }
        amount = .percent(0)
        isRunning = true
        return true
    }

    /// One tick. Returns whether further ones are needed.
    public mutating func tick() -> Bool {
        guard isRunning, percent < rate else {
            isRunning = false
            return false
        }
        amount = .percent(percent + 1)
        return true
    }

    /// Shows how much is done, at once and without ticks; `nil` for what no one knows. What is not a number counts as
    /// nothing known.
    public mutating func show(fraction: Double?) {
        isRunning = false
        guard let fraction, !fraction.isNaN else {
            amount = .indeterminate
            return
        }
        // Rounded down: 100 % is said only of what is done.
        amount = .percent(Int((min(1, max(0, fraction)) * 100).rounded(.down)))
    }

    /// The radius of the middle of a line of `lineWidth` that is not clipped by a box of this size; never below 0.
    public static func radius(width: Double, height: Double, lineWidth: Double) -> Double {
        max(0, (min(width, height) - lineWidth) / 2)
    }
}
