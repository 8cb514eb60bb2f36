extension DiskCache {
    /// How a disk cache works.
    public struct Configuration: Sendable {
        /// The folder of the caches, made when something is stored; ``DiskCache/defaultDirectory`` by default.
        public var directory: String

        /// The folder in ``directory`` for this cache's entries, apart from those of other names; `default` by default.
        /// Anything but letters, digits, `-` and `_` in it is replaced by `_`.
        public var namespace = "default"

        /// How many bytes the entries may take on disk, in whole blocks of 4 KiB; `nil`, the default, for 2 % of the
        /// disk, at least 256 MiB and at most 2 GiB.
        public var byteLimit: Int?

        /// How long after it was stored an entry is good; 7 days by default, for ever if negative.
        public var maximumAge: Duration = .seconds(7 * 24 * 60 * 60)

        /// Whether a store waits until the entry would survive a power cut; `false` by default, since it costs
        /// milliseconds. A cut never damages what the cache gives out, with or without: an entry that it catches is a
        /// miss.
        public var synchronizesStores = false

        /// Makes the default configuration for a folder.
        public init(directory: String = DiskCache.defaultDirectory) { self.directory = directory }
    }

    /// What a disk cache holds.
    public struct Statistics: Hashable, Sendable {
        /// Entries.
        public var entryCount: Int
        /// What they take on disk, in whole blocks of 4 KiB.
        public var byteCount: Int
        /// How much they may take.
        public var byteLimit: Int
        /// The folder that holds them.
        public var path: String
    }
}
