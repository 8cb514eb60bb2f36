internal import Glibc

extension FileSystem {
    package func open(_ path: String, _ mode: OpenMode) throws(SystemCallError) -> FileDescriptor {
        try open(path, in: nil, mode)
    }

    package func rename(_ path: String, to target: String) throws(SystemCallError) {
        try rename(path, to: target, in: nil)
    }

    package func renameNew(_ path: String, to target: String) throws(SystemCallError) {
        try renameNew(path, to: target, in: nil)
    }

    /// Writes all of the pieces, however many calls it takes.
    func writeAll(
        _ file: FileDescriptor,
        _ pieces: [UnsafeRawBufferPointer],
        _ path: String
    ) throws(SystemCallError) {
        var rest = pieces.filter { !$0.isEmpty }
        while !rest.isEmpty {
            var written = try write(file, rest, path)
            guard written > 0 else { throw SystemCallError("writev", path, EIO) }
            while let first = rest.first, written >= first.count {
                written -= first.count
                rest.removeFirst()
            }
            if written > 0 { rest[0] = UnsafeRawBufferPointer(rebasing: rest[0][written...]) }
        }
    }

    /// Fills the buffer as far as the file reaches. Returns how many bytes came.
    func readAll(
        _ file: FileDescriptor,
        into buffer: UnsafeMutableRawBufferPointer,
        _ path: String
    ) throws(SystemCallError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let count = try read(file, into: rest, path)
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    /// Makes a folder and the folders around it, as far as they are missing.
    func makeDirectories(_ path: String) throws(SystemCallError) {
        do {
            try makeDirectory(path)
        } catch  where error.number == EEXIST {
            return
        } catch  where error.number == ENOENT {
            guard let parent = path.parentPath, parent != path else { throw error }
            try makeDirectories(parent)
            do { try makeDirectory(path) } catch  where error.number == EEXIST { return }
        }
    }
}

extension String {
    /// The path of the folder around; `nil` for a relative path of one part.
    var parentPath: String? {
        let trimmed = self.count > 1 && hasSuffix("/") ? dropLast() : self[...]
        guard let slash = trimmed.lastIndex(of: "/") else { return nil }
        return slash == trimmed.startIndex ? "/" : String(trimmed[..<slash])
    }
}

extension FileSystem {
    /// Writes numbers into a file that is not there yet, and leaves none behind after a failure.
    func writeNew(_ path: String, _ numbers: [Int64]) throws(SystemCallError) {
        let file = try open(path, .createNew)
        do throws(SystemCallError) {
            try numbers.withUnsafeBytes { bytes in
                Result { () throws(SystemCallError) in try writeAll(file, [bytes], path) }
            }.get()
        } catch {
            try? close(file, path)
            try? unlink(path)
            throw error
        }
        do throws(SystemCallError) {
            try close(file, path)
        } catch {
            try? unlink(path)
            throw error
        }
    }
}
