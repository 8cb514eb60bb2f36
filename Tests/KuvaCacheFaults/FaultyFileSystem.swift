internal import Glibc
package import KuvaCache
internal import Synchronization

/// The machine's file system, of which any call can be made to fail or to be the last thing that the process does.
package final class FaultyFileSystem: FileSystem {
    /// What happens to a call.
    package enum Fault: Sendable {
        /// It does nothing and fails with this `errno` value.
        case fail(Int32)
        /// If it is a write, it writes this many bytes at most; other calls go as ever.
        case shortWrite(Int)
        /// The process dies before it.
        case kill
        /// If it is a write, the process dies after this many bytes; other calls go as ever.
        case killAfterWriting(Int)
    }

    private let system = SystemFileSystem()
    private let decide: @Sendable (_ index: Int, _ call: String) -> Fault?
    private let calls = Atomic<Int>(0)

    /// - Parameter decide: says what happens to the call of this index, counted from 0; `nil` for nothing special.
    package init(_ decide: @escaping @Sendable (_ index: Int, _ call: String) -> Fault? = { _, _ in nil }) {
        self.decide = decide
    }

    /// How many calls were made.
    package var callCount: Int { calls.load(ordering: .relaxed) }

    private func pass(_ call: String, _ path: String) throws(SystemCallError) -> Fault? {
        let fault = decide(calls.wrappingAdd(1, ordering: .relaxed).oldValue, call)
        switch fault {
        case .fail(let number): throw SystemCallError(call, path, number)
        case .kill: Self.die()
        default: break
        }
        return fault
    }

    private static func die() {
        kill(getpid(), SIGKILL)
        while true { pause() }
    }

    package func open(
        _ path: String,
        in base: BaseFolder?,
        _ mode: OpenMode
    ) throws(SystemCallError) -> FileDescriptor {
        _ = try pass("open", path)
        return try system.open(path, in: base, mode)
    }

    /// A failing close closes all the same, as on Linux.
    package func close(_ file: FileDescriptor, _ path: String) throws(SystemCallError) {
        do {
            _ = try pass("close", path)
        } catch {
            try? system.close(file, path)
            throw error
        }
        try system.close(file, path)
    }

    package func read(
        _ file: FileDescriptor,
        into buffer: UnsafeMutableRawBufferPointer,
        _ path: String
    ) throws(SystemCallError) -> Int {
        _ = try pass("read", path)
        return try system.read(file, into: buffer, path)
    }

    package func write(
        _ file: FileDescriptor,
        _ pieces: [UnsafeRawBufferPointer],
        _ path: String
    ) throws(SystemCallError) -> Int {
        switch try pass("writev", path) {
        case .shortWrite(let count):
            return try system.write(file, Self.prefix(pieces, count), path)
        case .killAfterWriting(let count):
            _ = try system.write(file, Self.prefix(pieces, count), path)
            Self.die()
        default: break
        }
        return try system.write(file, pieces, path)
    }

    private static func prefix(_ pieces: [UnsafeRawBufferPointer], _ count: Int) -> [UnsafeRawBufferPointer] {
        var left = count
        return pieces.map { piece in
            defer { left -= min(left, piece.count) }
            return UnsafeRawBufferPointer(rebasing: piece.prefix(left))
        }
    }

    package func status(_ file: FileDescriptor, _ path: String) throws(SystemCallError) -> FileStatus {
        _ = try pass("fstat", path)
        return try system.status(file, path)
    }

    package func status(at path: String) throws(SystemCallError) -> FileStatus {
        _ = try pass("lstat", path)
        return try system.status(at: path)
    }

    package func setModified(_ time: FileTime, of file: FileDescriptor, _ path: String) throws(SystemCallError) {
        _ = try pass("futimens", path)
        try system.setModified(time, of: file, path)
    }

    package func synchronize(_ file: FileDescriptor, _ path: String) throws(SystemCallError) {
        _ = try pass("fsync", path)
        try system.synchronize(file, path)
    }

    package func tryLock(_ file: FileDescriptor, _ path: String) throws(SystemCallError) -> Bool {
        _ = try pass("flock", path)
        return try system.tryLock(file, path)
    }

    package func rename(_ path: String, to target: String, in base: BaseFolder?) throws(SystemCallError) {
        _ = try pass("rename", target)
        try system.rename(path, to: target, in: base)
    }

    package func renameNew(_ path: String, to target: String, in base: BaseFolder?) throws(SystemCallError) {
        _ = try pass("rename", target)
        try system.renameNew(path, to: target, in: base)
    }

    package func lock(
        _ file: FileDescriptor,
        byte: Int,
        waits: Bool,
        _ path: String
    ) throws(SystemCallError) -> Bool {
        _ = try pass("lock", path)
        return try system.lock(file, byte: byte, waits: waits, path)
    }

    /// A failing unlock unlocks all the same, so that one fault does not stop every thread.
    package func unlock(_ file: FileDescriptor, byte: Int, _ path: String) throws(SystemCallError) {
        do {
            _ = try pass("unlock", path)
        } catch {
            try? system.unlock(file, byte: byte, path)
            throw error
        }
        try system.unlock(file, byte: byte, path)
    }

    package func map(
        _ file: FileDescriptor,
        count: Int,
        _ path: String
    ) throws(SystemCallError) -> UnsafeMutableRawPointer {
        _ = try pass("mmap", path)
        return try system.map(file, count: count, path)
    }

    package func unmap(_ address: UnsafeMutableRawPointer, count: Int) { system.unmap(address, count: count) }

    package func unlink(_ path: String) throws(SystemCallError) {
        _ = try pass("unlink", path)
        try system.unlink(path)
    }

    package func removeDirectory(_ path: String) throws(SystemCallError) {
        _ = try pass("rmdir", path)
        try system.removeDirectory(path)
    }

    package func makeDirectory(_ path: String) throws(SystemCallError) {
        _ = try pass("mkdir", path)
        try system.makeDirectory(path)
    }

    package func list(_ path: String) throws(SystemCallError) -> [String] {
        _ = try pass("opendir", path)
        return try system.list(path)
    }

    package func diskSize(of path: String) throws(SystemCallError) -> Int {
        _ = try pass("statvfs", path)
        return try system.diskSize(of: path)
    }
}
