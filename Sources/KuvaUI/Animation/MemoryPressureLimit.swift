/// How many frames an animation may hold after the system has run short of memory: one at once, two after two seconds,
/// no limit three seconds later; after the third time it stays at one (FLAnimatedImage's rule). A value.
public struct MemoryPressureLimit: Hashable, Sendable {
    private var count = 0
    private var last = Duration.zero

    /// When a second frame is tried.
    private static let firstStep = Duration.seconds(2)
    /// When everything is tried.
    private static let secondStep = Duration.seconds(5)
    /// After so many it gives up growing.
    private static let patience = 3

    /// No limit.
    public init() {}

    /// Memory is short.
    public mutating func shrink(at now: Duration) {
        count += 1
        last = now
    }

    /// Frames that may be held at `now`; `nil` for any number.
    public func frameLimit(at now: Duration) -> Int? {
        if count == 0 { return nil }
        if count >= Self.patience || now - last < Self.firstStep { return 1 }
        return now - last < Self.secondStep ? 2 : nil
    }
}
