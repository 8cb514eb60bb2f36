/// Which caches a request may read and write.
public struct CachePolicy: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// Makes a policy from bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Look in memory.
    public static let readMemory = CachePolicy(rawValue: 1)
    /// Keep the decoded picture in memory.
    public static let writeMemory = CachePolicy(rawValue: 2)
    /// Look on disk.
    public static let readDisk = CachePolicy(rawValue: 4)
    /// Keep the bytes on disk.
    public static let writeDisk = CachePolicy(rawValue: 8)
    /// Fetch what no cache has.
    public static let load = CachePolicy(rawValue: 16)

    /// Caches first, then the source; what comes is kept. The default.
    public static let standard: CachePolicy = [.readMemory, .writeMemory, .readDisk, .writeDisk, .load]
    /// Never go to the source: a miss is an error with the code `not-in-cache`.
    public static let cacheOnly: CachePolicy = [.readMemory, .writeMemory, .readDisk]
    /// Do not look in the caches, but keep what comes.
    public static let reload: CachePolicy = [.writeMemory, .writeDisk, .load]
    /// Neither look nor keep.
    public static let none: CachePolicy = [.load]
}
