/// The system calls that the disk cache makes: the one seam through which tests let any of them fail or end the process.
///
/// Each method is one call, repeated only when a signal interrupts it.
package protocol FileSystem: Sendable {
    /// Opens a file. Never follows a link in the last part of the path, never waits for a pipe's other end.
    ///
    /// - Parameter base: a folder with whose name the path begins, so that the system looks for the rest only.
    func open(_ path: String, in base: BaseFolder?, _ mode: OpenMode) throws(SystemCallError) -> FileDescriptor
    func close(_ file: FileDescriptor, _ path: String) throws(SystemCallError)
    /// Reads up to the buffer's size; 0 at the end of the file.
    func read(
        _ file: FileDescriptor,
        into buffer: UnsafeMutableRawBufferPointer,
        _ path: String
    ) throws(SystemCallError) -> Int
    /// Writes what it can of the pieces one after the other, and says how many bytes.
    func write(
        _ file: FileDescriptor,
        _ pieces: [UnsafeRawBufferPointer],
        _ path: String
    ) throws(SystemCallError) -> Int
    func status(_ file: FileDescriptor, _ path: String) throws(SystemCallError) -> FileStatus
    /// The status of what a path names, of the link itself if it is one.
    func status(at path: String) throws(SystemCallError) -> FileStatus
    /// Sets the time of last modification.
    func setModified(_ time: FileTime, of file: FileDescriptor, _ path: String) throws(SystemCallError)
    /// Waits until what was written would survive a power cut.
    func synchronize(_ file: FileDescriptor, _ path: String) throws(SystemCallError)
    /// Takes an exclusive lock that ends with the descriptor, without waiting. Returns whether it was free.
    func tryLock(_ file: FileDescriptor, _ path: String) throws(SystemCallError) -> Bool
    func rename(_ path: String, to target: String, in base: BaseFolder?) throws(SystemCallError)
    /// Renames unless the target is there: `EEXIST` then, and `EINVAL` where the file system cannot do so.
    func renameNew(_ path: String, to target: String, in base: BaseFolder?) throws(SystemCallError)
    /// Locks one byte of a file against other open files of it, here and in other processes. It ends with the
    /// descriptor at the latest.
    ///
    /// - Parameter waits: whether to wait until it is free.
    /// - Returns: whether it is locked now.
    func lock(
        _ file: FileDescriptor,
        byte: Int,
        waits: Bool,
        _ path: String
    ) throws(SystemCallError) -> Bool
    func unlock(_ file: FileDescriptor, byte: Int, _ path: String) throws(SystemCallError)
    /// Maps the first `count` bytes of a file, to read and write, shared with whoever maps it too.
    func map(_ file: FileDescriptor, count: Int, _ path: String) throws(SystemCallError) -> UnsafeMutableRawPointer
    func unmap(_ address: UnsafeMutableRawPointer, count: Int)
    func unlink(_ path: String) throws(SystemCallError)
    /// Removes an empty folder.
    func removeDirectory(_ path: String) throws(SystemCallError)
    /// Makes a folder that only the user may enter.
    func makeDirectory(_ path: String) throws(SystemCallError)
    /// The names in a folder, in no order, without `.` and `..`.
    func list(_ path: String) throws(SystemCallError) -> [String]
    /// The size in bytes of the disk that holds a path.
    func diskSize(of path: String) throws(SystemCallError) -> Int
}

/// What a file is opened for.
package enum OpenMode: Sendable {
    case read
    /// Make it and write; fails if it is there.
    case createNew
    /// Read and write what is there, to lock it.
    case lockExisting
    /// A folder, to synchronise it.
    case directory
}

/// A folder that is open.
package struct BaseFolder: Hashable, Sendable {
    package let descriptor: FileDescriptor
    /// How many bytes at the start of a path name the folder, the slash after it included.
    package let length: Int
}

/// The number of an open file.
package struct FileDescriptor: Hashable, Sendable {
    package let number: Int32
    package init(number: Int32) { self.number = number }
}

/// What the cache asks about a file.
package struct FileStatus: Hashable, Sendable {
    package enum Kind: Sendable {
        case regular
        case directory
        case other
    }

    package var kind: Kind
    package var size: Int
    package var modified: FileTime
    /// 0 for a file that no folder names any more.
    package var linkCount: Int
    /// Tells a file from the one that took its name later.
    package var identity: UInt64
    package var owner: UInt32
}

/// Nanoseconds since 1970, as file systems keep time.
package struct FileTime: Hashable, Comparable, Sendable {
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The nearest time that fits.
    package init(secondsSince1970 seconds: Double) {
        nanoseconds = Int64(exactly: (seconds * 1e9).rounded()) ?? (seconds > 0 ? .max : .min)
    }

    package static func < (lhs: FileTime, rhs: FileTime) -> Bool { lhs.nanoseconds < rhs.nanoseconds }
}

/// A system call that failed.
package struct SystemCallError: Error, Hashable {
    package var call: String
    package var path: String
    /// The `errno` value.
    package var number: Int32

    package init(_ call: String, _ path: String, _ number: Int32) {
        self.call = call
        self.path = path
        self.number = number
    }
}
