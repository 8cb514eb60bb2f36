internal import FoundationEssentials
internal import Glibc
public import KuvaCore

/// Keeps files on disk, one self-describing and checksummed file an entry.
///
/// After a crash or a power cut at any instant, a read gives the bytes of an earlier completed store of that key, or a
/// miss: never a mix, never a part. Each read verifies the whole entry; a damaged one is a miss and is removed. Several
/// processes may use one folder at once.
///
/// Methods block on I/O: call them on a thread of your own, never on the main thread or Swift's cooperative pool. Any
/// number of threads may call at once. Making a cache touches no file.
public final class DiskCache: DataCaching {
    /// How the cache works.
    public let configuration: Configuration

    let files: any FileSystem
    let layout: CacheLayout
    let index = DiskIndex()
    let time: TimeSource
    let isIndexed = Lock(false)
    let session = Lock<WriterSession?>(nil)
    let nextTemporary = Lock(0)
    private let knownLimit = Lock<Int?>(nil)
    /// Held while a name is given to a file or taken away, so that the index sees renames in their order. They guard
    /// no value, but hold a byte: ThreadSanitizer takes an empty field for the object's type pointer.
    private let nameLocks = (0..<64).map { _ in Lock(UInt8(0)) }

    /// Makes a cache in a folder of a file system.
    package init(configuration: Configuration, files: any FileSystem, time: TimeSource) {
        self.configuration = configuration
        self.files = files
        self.time = time
        let namespace = configuration.namespace.map { character in
            character.isASCII && (character.isLetter || character.isNumber || character == "-") ? character : "_"
        }
        layout = CacheLayout(directory: configuration.directory, namespace: String(namespace))
    }

    /// Makes a cache in a folder.
    ///
    /// - Parameter time: where ages and times of use come from.
    public convenience init(configuration: Configuration = Configuration(), time: TimeSource = .system) {
        self.init(configuration: configuration, files: SystemFileSystem(), time: time)
    }

    deinit { session.withLock { $0?.close(files) } }

    /// `$XDG_CACHE_HOME/kuva`, or `~/.cache/kuva`.
    public static var defaultDirectory: String { CacheDirectory.current() }

    /// What the cache holds. The first call reads the names and sizes of all entries; later ones cost nothing.
    ///
    /// - Throws: ``ImageError`` at the stage `cache read`.
    public func statistics() throws(ImageError) -> Statistics {
        do {
            try loadIndex()
            let (entryCount, byteCount) = index.totals
            let limit = try byteLimit()
            return Statistics(
                entryCount: entryCount,
                byteCount: byteCount,
                byteLimit: limit,
                path: configuration.directory
            )
        } catch {
            throw error.imageError(.cacheRead)
        }
    }

    // MARK: Shared by reading, storing and removing

    func withNameLock<R>(
        _ name: EntryName,
        _ body: () throws(SystemCallError) -> R
    ) throws(SystemCallError) -> R {
        try nameLocks[Int(truncatingIfNeeded: name.original.low ^ name.variant.low) & 63].withLock {
            (_: inout UInt8) throws(SystemCallError) -> R in try body()
        }
    }

    func byteLimit() throws(SystemCallError) -> Int {
        if let limit = configuration.byteLimit { return max(0, limit) }
        if let limit = knownLimit.withLock({ $0 }) { return limit }
        let limit = min(max(try diskSize() / 50, 256 << 20), 2 << 30)
        knownLimit.withLock { $0 = limit }
        return limit
    }

    /// The size of the disk on which the folder is or will be.
    private func diskSize() throws(SystemCallError) -> Int {
        var path = layout.directory
        while true {
            do {
                return try files.diskSize(of: path)
            } catch  where error.number == ENOENT {
                guard let parent = path.parentPath, parent != path else { throw error }
                path = parent
            }
        }
    }

    /// What a file takes on disk.
    static func blocks(_ byteCount: Int) -> Int { (byteCount + 4095) & ~4095 }

    var now: FileTime { FileTime(secondsSince1970: time.wall.timeIntervalSince1970) }
}
