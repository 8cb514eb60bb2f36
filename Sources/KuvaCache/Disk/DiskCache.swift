internal import FoundationEssentials
internal import Glibc
public import KuvaCore

/// Keeps files on disk, one self-describing and checksummed file an entry.
///
/// After a crash or a power cut at any instant, a read gives the bytes of an earlier completed store of that key, or a
/// miss: never a mix, never a part. Each read verifies the whole entry; a damaged one is a miss and is removed. Several
/// processes may use one folder at once: each sees the others' entries, and the limits hold for all of them together.
///
/// Methods block on I/O: call them on a thread of your own, never on the main thread or Swift's cooperative pool. Any
/// number of threads may call at once. Making a cache touches no file. What has expired goes in the background, on a
/// thread of low priority that starts with the first store.
public final class DiskCache: DataCaching {
    /// How the cache works. Its limits are those that the cache began with; see ``byteLimit`` and ``countLimit``.
    public let configuration: Configuration

    let files: any FileSystem
    let layout: CacheLayout
    let time: TimeSource
    let open = Lock(Open())
    let limits: Lock<Limits>
    /// Held while a name is given to a file or taken away. They guard no value, but hold a byte: ThreadSanitizer takes
    /// an empty field for the object's type pointer.
    let shardLocks = (0..<SharedCounters.shardCount).map { _ in Lock(UInt8(0)) }
    /// Whose entries are read.
    let owner = geteuid()
    /// The maximum age in nanoseconds; negative for none.
    let ageLimit: Int64
    private let background: @Sendable (@escaping @Sendable () -> Void) -> Void

    struct Open: Sendable {
        var folder: OpenFolder?
        /// Whether the folder is there and cannot be used.
        var hasFailed = false
        /// When maintenance was last asked for, by the monotonic clock.
        var maintainedAt: Duration?
    }

    struct Limits: Sendable {
        /// `nil` until the disk was asked.
        var bytes: Int?
        var count: Int
    }

    /// Makes a cache in a folder of a file system.
    ///
    /// - Parameter background: runs what must not hold up a store, some time later.
    package init(
        configuration: Configuration,
        files: any FileSystem,
        time: TimeSource,
        background: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) {
        self.configuration = configuration
        self.files = files
        self.time = time
        self.background = background
        ageLimit = Int64(clamping: configuration.maximumAge.nanoseconds)
        limits = Lock(
            Limits(bytes: configuration.byteLimit.map { max(0, $0) }, count: max(0, configuration.countLimit ?? .max))
        )
        let namespace = configuration.namespace.map { character in
            character.isASCII && (character.isLetter || character.isNumber || character == "-") ? character : "_"
        }
        layout = CacheLayout(directory: configuration.directory, namespace: String(namespace))
    }

    /// Makes a cache in a folder.
    ///
    /// - Parameter time: where ages and times of use come from.
    public convenience init(configuration: Configuration = Configuration(), time: TimeSource = .system) {
        let pool = WorkPool(name: "kuva-cache-trim", threads: 1)
        self.init(configuration: configuration, files: SystemFileSystem(), time: time) { work in
            pool.submit(priority: .veryLow, work)
        }
    }

    /// `$XDG_CACHE_HOME/kuva`, or `~/.cache/kuva`.
    public static var defaultDirectory: String { CacheDirectory.current() }

    /// How many bytes the entries may take on disk, in whole blocks of 4 KiB. A lower limit holds from the next store
    /// on, and in the background before that.
    ///
    /// - Returns: 2 GiB where the size of the disk decides and cannot be had.
    public var byteLimit: Int {
        get { (try? currentByteLimit()) ?? Self.largestDefault }
        set {
            limits.withLock { $0.bytes = max(0, newValue) }
            maintainLater()
        }
    }

    /// How many entries there may be. A lower limit holds from the next store on, and in the background before that.
    public var countLimit: Int {
        get { limits.withLock { $0.count } }
        set {
            limits.withLock { $0.count = max(0, newValue) }
            maintainLater()
        }
    }

    func runLater(_ work: @escaping @Sendable () -> Void) { background(work) }

    func currentByteLimit() throws(SystemCallError) -> Int {
        if let limit = limits.withLock({ $0.bytes }) { return limit }
        let limit = min(max(try diskSize() / 50, 256 << 20), Self.largestDefault)
        return limits.withLock { limits in
            if let known = limits.bytes { return known }
            limits.bytes = limit
            return limit
        }
    }

    private static let largestDefault = 2 << 30

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
