internal import CKuvaFiles
internal import Glibc

/// The file system of the machine.
package struct SystemFileSystem: FileSystem {
    package init() {}

    package func open(
        _ path: String,
        in base: BaseFolder?,
        _ mode: OpenMode
    ) throws(SystemCallError) -> FileDescriptor {
        let flags =
            switch mode {
            case .read: O_RDONLY | O_NONBLOCK
            case .createNew: O_WRONLY | O_CREAT | O_EXCL
            case .lockExisting: O_RDWR | O_NONBLOCK
            case .directory: O_RDONLY | O_DIRECTORY
            }
        let number = try Self.call("open", path) {
            Self.relative(path, base) { openat($0, $1, flags | O_NOFOLLOW | O_CLOEXEC, 0o600) }
        }
        return FileDescriptor(number: number)
    }

    /// Not repeated after an interruption: Linux has closed the file then (close(2)).
    package func close(_ file: FileDescriptor, _ path: String) throws(SystemCallError) {
        guard Glibc.close(file.number) != 0, errno != EINTR else { return }
        throw SystemCallError("close", path, errno)
    }

    package func read(
        _ file: FileDescriptor,
        into buffer: UnsafeMutableRawBufferPointer,
        _ path: String
    ) throws(SystemCallError) -> Int {
        try Self.call("read", path) { Glibc.read(file.number, buffer.baseAddress, buffer.count) }
    }

    package func write(
        _ file: FileDescriptor,
        _ pieces: [UnsafeRawBufferPointer],
        _ path: String
    ) throws(SystemCallError) -> Int {
        // A result, since the standard library before Swift 6.3 forgets the type of what the closure throws.
        let written = withUnsafeTemporaryAllocation(of: iovec.self, capacity: pieces.count) { vectors in
            for (index, piece) in pieces.enumerated() {
                let base = UnsafeMutableRawPointer(mutating: piece.baseAddress)
                vectors.initializeElement(at: index, to: iovec(iov_base: base, iov_len: piece.count))
            }
            return Result { () throws(SystemCallError) in
                try Self.call("writev", path) { writev(file.number, vectors.baseAddress, Int32(pieces.count)) }
            }
        }
        return try written.get()
    }

    package func status(_ file: FileDescriptor, _ path: String) throws(SystemCallError) -> FileStatus {
        var status = stat()
        _ = try Self.call("fstat", path) { fstat(file.number, &status) }
        return FileStatus(status)
    }

    package func status(at path: String) throws(SystemCallError) -> FileStatus {
        var status = stat()
        _ = try Self.call("lstat", path) { lstat(path, &status) }
        return FileStatus(status)
    }

    package func setModified(_ time: FileTime, of file: FileDescriptor, _ path: String) throws(SystemCallError) {
        let (seconds, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        let modified =
            rest < 0
            ? timespec(tv_sec: Int(seconds) - 1, tv_nsec: Int(rest) + 1_000_000_000)
            : timespec(tv_sec: Int(seconds), tv_nsec: Int(rest))
        let times = [timespec(tv_sec: 0, tv_nsec: Self.leaveAlone), modified]
        _ = try Self.call("futimens", path) { futimens(file.number, times) }
    }

    /// Whether the system would give files about this time by itself.
    static func isAbout(_ time: FileTime) -> Bool {
        var present = timespec()
        clock_gettime(CLOCK_REALTIME, &present)
        return abs(Double(present.tv_sec) - Double(time.nanoseconds) / 1e9) < 2
    }

    package func synchronize(_ file: FileDescriptor, _ path: String) throws(SystemCallError) {
        _ = try Self.call("fsync", path) { fsync(file.number) }
    }

    package func tryLock(_ file: FileDescriptor, _ path: String) throws(SystemCallError) -> Bool {
        do {
            _ = try Self.call("flock", path) { () -> Int32 in flock(file.number, LOCK_EX | LOCK_NB) }
            return true
        } catch  where error.number == EWOULDBLOCK {
            return false
        }
    }

    package func rename(_ path: String, to target: String, in base: BaseFolder?) throws(SystemCallError) {
        _ = try Self.call("rename", target) {
            Self.relative(path, base) { folder, from in
                Self.relative(target, base) { renameat(folder, from, $0, $1) }
            }
        }
    }

    package func renameNew(_ path: String, to target: String, in base: BaseFolder?) throws(SystemCallError) {
        let number = Self.relative(path, base) { folder, from in
            Self.relative(target, base) { kuva_files_rename_new(folder, from, $0, $1) }
        }
        if number != 0 { throw SystemCallError("rename", target, number) }
    }

    /// Gives what the system needs to find a path: an open folder, and where in it.
    private static func relative<R>(
        _ path: String,
        _ base: BaseFolder?,
        _ body: (_ folder: Int32, _ path: UnsafePointer<CChar>) -> R
    ) -> R {
        path.withCString { start in
            guard let base else { return body(AT_FDCWD, start) }
            return body(base.descriptor.number, start + base.length)
        }
    }

    package func lock(
        _ file: FileDescriptor,
        byte: Int,
        waits: Bool,
        _ path: String
    ) throws(SystemCallError) -> Bool {
        switch kuva_files_lock_byte(file.number, Int64(byte), waits ? 1 : 0) {
        case 0: return true
        case EAGAIN, EACCES: return false
        case let number: throw SystemCallError("lock", path, number)
        }
    }

    package func unlock(_ file: FileDescriptor, byte: Int, _ path: String) throws(SystemCallError) {
        let number = kuva_files_unlock_byte(file.number, Int64(byte))
        if number != 0 { throw SystemCallError("unlock", path, number) }
    }

    package func map(
        _ file: FileDescriptor,
        count: Int,
        _ path: String
    ) throws(SystemCallError) -> UnsafeMutableRawPointer {
        let address = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_SHARED, file.number, 0)
        guard let address, address != UnsafeMutableRawPointer(bitPattern: -1) else {
            throw SystemCallError("mmap", path, errno)
        }
        return address
    }

    package func unmap(_ address: UnsafeMutableRawPointer, count: Int) { munmap(address, count) }

    package func unlink(_ path: String) throws(SystemCallError) {
        _ = try Self.call("unlink", path) { Glibc.unlink(path) }
    }

    package func removeDirectory(_ path: String) throws(SystemCallError) {
        _ = try Self.call("rmdir", path) { rmdir(path) }
    }

    package func makeDirectory(_ path: String) throws(SystemCallError) {
        _ = try Self.call("mkdir", path) { mkdir(path, 0o700) }
    }

    package func list(_ path: String) throws(SystemCallError) -> [String] {
        guard let folder = opendir(path) else { throw SystemCallError("opendir", path, errno) }
        defer { closedir(folder) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(folder) else { break }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        if errno != 0 { throw SystemCallError("readdir", path, errno) }
        return names
    }

    package func diskSize(of path: String) throws(SystemCallError) -> Int {
        var space = statvfs()
        _ = try Self.call("statvfs", path) { statvfs(path, &space) }
        let (bytes, overflow) = Int(space.f_blocks).multipliedReportingOverflow(by: Int(space.f_frsize))
        return overflow ? .max : bytes
    }

    /// `UTIME_OMIT`, a macro that Swift does not see (utimensat(2)).
    private static let leaveAlone = (1 << 30) - 2

    /// Makes a call again while signals interrupt it.
    private static func call<R: SignedInteger>(
        _ name: String,
        _ path: String,
        _ body: () -> R
    ) throws(SystemCallError) -> R {
        while true {
            let result = body()
            if result >= 0 { return result }
            if errno != EINTR { throw SystemCallError(name, path, errno) }
        }
    }
}

extension FileStatus {
    fileprivate init(_ status: stat) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: kind = .regular
        case S_IFDIR: kind = .directory
        default: kind = .other
        }
        size = Int(status.st_size)
        let (whole, overflow) = Int64(status.st_mtim.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        modified = FileTime(nanoseconds: overflow ? .max : whole + Int64(status.st_mtim.tv_nsec))
        linkCount = Int(status.st_nlink)
        identity = UInt64(status.st_ino)
        owner = status.st_uid
    }
}
