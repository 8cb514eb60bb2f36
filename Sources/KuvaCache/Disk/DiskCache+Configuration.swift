public import FoundationEssentials
public import KuvaCore

extension DiskCache {
    /// How a disk cache works.
    public struct Configuration: Sendable {
        /// The folder of the caches, made when something is stored; ``DiskCache/defaultDirectory`` by default.
        public var directory: String

        /// The folder in ``directory`` for this cache's entries, apart from those of other names; `default` by default.
        /// Anything but letters, digits, `-` and `_` in it is replaced by `_`.
        public var namespace = "default"

        /// How many bytes the entries may take on disk, in whole blocks of 4 KiB; `nil`, the default, for 2 % of the
        /// disk, at least 256 MiB and at most 2 GiB. Can be changed later; see ``DiskCache/byteLimit``.
        public var byteLimit: Int?

        /// How many entries there may be; no limit by default. Can be changed later; see ``DiskCache/countLimit``.
        public var countLimit: Int?

        /// How old an entry may become; 7 days by default, for ever if negative. With zero, everything expires.
        public var maximumAge: Duration = .seconds(7 * 24 * 60 * 60)

        /// What an entry's age is counted from.
        public var expiry = Expiry.access

        /// Whether a store waits until the entry would survive a power cut; `false` by default, since it costs
        /// milliseconds. A cut never damages what the cache gives out, with or without: an entry that it catches is a
        /// miss.
        public var synchronizesStores = false

        /// Whether files of 1 MiB and more are mapped instead of read, so that their bytes take no memory of the
        /// program's own; `false` by default.
        public var mapsLargeFiles = false

        /// Namespace folders of other caches, where an entry is looked for that is not here. Nothing is ever changed
        /// in them, and what they hold does not expire; pictures that come with a program, say.
        public var readOnlyFolders: [String] = []

        /// Gives the path of a plain file for a key, to be read if no entry is found anywhere; `nil` for none.
        public var bundledFile: (@Sendable (CacheKey) -> String?)?

        /// Changes bytes on their way to the disk and back; to encrypt them, say.
        public var serializer: (any CacheSerializing)?

        /// Makes the default configuration for a folder.
        public init(directory: String = DiskCache.defaultDirectory) { self.directory = directory }
    }

    /// What an entry's age is counted from.
    public enum Expiry: Sendable {
        /// Its last use, exact to a minute or an eighth of the maximum age, whichever is less.
        case access
        /// Its last store.
        case modification
        /// The first store of its key since it was last missing. Costs a look at the earlier entry in each store.
        case creation
    }

    /// What a disk cache holds.
    public struct Statistics: Hashable, Sendable {
        /// Entries.
        public var entryCount = 0
        /// What they take on disk, in whole blocks of 4 KiB.
        public var byteCount = 0
        /// How much they may take.
        public var byteLimit = 0
        /// How many there may be; `Int.max` for any number.
        public var countLimit = Int.max
        /// Reads of all processes that found an entry, since the folder was made.
        public var hitCount = 0
        /// Reads that found none.
        public var missCount = 0
        /// Entries that had to leave for others.
        public var evictionCount = 0
        /// The folder that holds them.
        public var path = ""
    }
}

/// Changes bytes on their way to the disk and back. Any number of threads may call at once.
public protocol CacheSerializing: Sendable {
    /// The bytes to write for a file.
    ///
    /// - Throws: what the store throws on, as the cause of an ``ImageError`` with the code `io-failed`.
    func serialize(_ bytes: Data, for key: CacheKey) throws -> Data

    /// The file for what was written; `nil` if it cannot be had, which makes the entry a miss and removes it.
    func deserialize(_ bytes: Data, for key: CacheKey) -> Data?
}
