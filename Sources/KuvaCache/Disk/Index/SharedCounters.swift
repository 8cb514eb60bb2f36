internal import CKuvaFiles
internal import Glibc

/// What a cache holds, counted for each shard, in a file that all its processes map.
///
/// Numbers change only together with the files they count, with the shard locked against threads and processes, so
/// that limits hold for all of them together. A process that dies in between leaves a number too high, never too low;
/// its session says so, and the shards are counted again.
final class SharedCounters: @unchecked Sendable {
    // Unchecked: the address and the descriptor never change; the numbers behind are read and written atomically.
    private let numbers: UnsafeMutablePointer<Int64>
    private let file: FileDescriptor
    private let path: String
    private let files: any FileSystem

    /// Numbers at the start of the file, before those of the shards.
    enum Field: Int {
        case magic = 0
        /// 1 once all shards are counted.
        case isCounted = 1
        /// Which start of the machine the numbers are from: after another one they may have been lost in part.
        case boot = 2
        case hits = 3
        case misses = 4
        case evictions = 5
        /// When expired entries were last looked for, in seconds since 1970.
        case expiredAt = 6
    }

    static let shardCount = 256
    /// The byte to lock for work on all shards; a shard's byte is its number.
    static let maintenanceByte = 256
    private static let firstShard = 32
    private static let length = 8192
    private static let magic: Int64 = 0x3130_7268_5361_764B

    private init(numbers: UnsafeMutablePointer<Int64>, file: FileDescriptor, path: String, files: any FileSystem) {
        self.numbers = numbers
        self.file = file
        self.path = path
        self.files = files
    }

    deinit {
        files.unmap(numbers, count: Self.length)
        try? files.close(file, path)
    }

    /// Opens the file, or makes it.
    ///
    /// - Parameter temporary: where a new one is written before it gets its name.
    static func open(
        _ path: String,
        temporary: String,
        _ files: any FileSystem
    ) throws(SystemCallError) -> SharedCounters {
        for _ in 0..<8 {
            let file: FileDescriptor
            do {
                file = try files.open(path, .lockExisting)
            } catch  where error.number == ENOENT {
                try make(path, temporary, files)
                continue
            } catch  where error.number == ELOOP {
                try files.unlink(path)
                continue
            }
            do {
                let status = try files.status(file, path)
                if status.kind == .regular, status.size == length, status.owner == geteuid(), status.linkCount > 0 {
                    let address = try files.map(file, count: length, path)
                    let numbers = address.bindMemory(to: Int64.self, capacity: length / 8)
                    if kuva_files_load(numbers) == magic {
                        return SharedCounters(numbers: numbers, file: file, path: path, files: files)
                    }
                    files.unmap(address, count: length)
                }
                try? files.close(file, path)
            } catch {
                try? files.close(file, path)
                throw error
            }
            do { try files.unlink(path) } catch  where error.number == ENOENT {}
        }
        throw SystemCallError("open", path, EIO)
    }

    /// Writes the whole file: a hole would have no space on a full disk, and end the process when it is filled.
    private static func make(
        _ path: String,
        _ temporary: String,
        _ files: any FileSystem
    ) throws(SystemCallError) {
        var content = [Int64](repeating: 0, count: length / 8)
        content[0] = magic
        try files.writeNew(temporary, content)
        do {
            try files.renameNew(temporary, to: path)
        } catch  where error.number == EEXIST {
            try? files.unlink(temporary)
        } catch  where error.number == EINVAL {
            try files.rename(temporary, to: path)
        } catch {
            try? files.unlink(temporary)
            throw error
        }
    }

    subscript(field: Field) -> Int64 {
        get { kuva_files_load(numbers + field.rawValue) }
        set { kuva_files_store(numbers + field.rawValue, newValue) }
    }

    func increment(_ field: Field) { _ = kuva_files_add(numbers + field.rawValue, 1) }

    /// Whether the file still has its name, so that other processes see it.
    var isCurrent: Bool {
        guard let mine = try? files.status(file, path), let named = try? files.status(at: path) else { return false }
        return mine.identity == named.identity
    }

    // MARK: Shards

    func add(shard: Int, bytes: Int, count: Int) {
        let place = numbers + Self.firstShard + 2 * shard
        _ = kuva_files_add(place, Int64(bytes))
        _ = kuva_files_add(place + 1, Int64(count))
    }

    func set(shard: Int, bytes: Int, count: Int) {
        let place = numbers + Self.firstShard + 2 * shard
        kuva_files_store(place, Int64(bytes))
        kuva_files_store(place + 1, Int64(count))
    }

    /// Bytes on disk and entries, over all shards.
    var totals: (bytes: Int, count: Int) {
        var totals = (bytes: 0, count: 0)
        for shard in 0..<Self.shardCount {
            let place = numbers + Self.firstShard + 2 * shard
            totals.bytes &+= Int(kuva_files_load(place))
            totals.count &+= Int(kuva_files_load(place + 1))
        }
        return (max(0, totals.bytes), max(0, totals.count))
    }

    /// Runs `body` with one byte locked against other processes. On a file system without such locks, without.
    func withLock<R>(
        byte: Int,
        _ body: () throws(SystemCallError) -> R
    ) throws(SystemCallError) -> R {
        var isLocked = false
        do {
            isLocked = try files.lock(file, byte: byte, waits: true, path)
        } catch  where [ENOLCK, EOPNOTSUPP, ENOSYS].contains(error.number) {}
        defer { if isLocked { try? files.unlock(file, byte: byte, path) } }
        return try body()
    }
}
