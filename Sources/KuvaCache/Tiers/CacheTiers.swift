/// Levels of a cache.
public struct CacheTiers: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// Makes a set from bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Decoded pictures.
    public static let memory = CacheTiers(rawValue: 1)
    /// Files.
    public static let disk = CacheTiers(rawValue: 2)
    /// Both.
    public static let all: CacheTiers = [.memory, .disk]
}
