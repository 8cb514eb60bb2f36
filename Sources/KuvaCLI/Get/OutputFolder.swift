internal import FoundationEssentials
internal import Glibc
internal import Kuva

/// The folder in which pictures are saved. Methods block on I/O.
struct OutputFolder: Sendable {
    /// The folder as the user named it.
    let path: String
    /// Whether a file that is there is replaced; otherwise the new one gets another name.
    let replaces: Bool

    /// Makes the folder, and those around it, if they are missing.
    ///
    /// - Throws: ``ImageError`` at the stage `save`.
    func prepare() throws(ImageError) {
        var made = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            made += made.isEmpty || made == "/" ? String(part) : "/\(part)"
            guard mkdir(made, 0o777) == 0 || errno == EEXIST else { throw Self.error("the folder \(made)", errno) }
        }
        var status = stat()
        guard stat(path, &status) == 0 else { throw Self.error("the folder \(path)", errno) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw Self.error("the folder \(path)", ENOTDIR) }
    }

    /// Saves a file whole or not at all.
    ///
    /// - Parameter number: no two saves of this process that overlap have the same.
    /// - Returns: the path of the file.
    /// - Throws: ``ImageError`` at the stage `save`.
    func save(_ data: Data, as name: FileName, number: Int) throws(ImageError) -> String {
        let temporary = join(".kuva-\(getpid())-\(number).part")
        do throws(ImageError) {
            try Self.write(data, to: temporary)
            return try publish(temporary, as: name)
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Saves a file whole or not at all, under exactly the name that is given.
    ///
    /// - Throws: ``ImageError`` at the stage `save`, also for a name that is taken unless it `replaces`.
    static func save(_ data: Data, at target: String, replaces: Bool) throws(ImageError) {
        let slash = target.lastIndex(of: "/")
        let path = slash.map { $0 == target.startIndex ? "/" : String(target[..<$0]) } ?? "."
        let folder = OutputFolder(path: path, replaces: replaces)
        let temporary = folder.join(".kuva-\(getpid()).part")
        do throws(ImageError) {
            try write(data, to: temporary)
            let number = folder.place(temporary, at: target)
            guard number == 0 else {
                throw number == EEXIST
                    ? ImageError(.ioFailed, "\(target) is there already", advice: "replace it with -f", stage: .save)
                    : error(target, number)
            }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    private func join(_ name: String) -> String { path.hasSuffix("/") ? path + name : "\(path)/\(name)" }

    /// Gives a finished file its name.
    private func publish(_ temporary: String, as name: FileName) throws(ImageError) -> String {
        var attempt = 0
        while true {
            let target = join(name.text(attempt: attempt))
            switch place(temporary, at: target) {
            case 0: return target
            case EEXIST where !replaces: attempt += 1
            case let number: throw Self.error(target, number)
            }
        }
    }

    /// Moves a file; a new name is taken by `link`, which never replaces. Returns 0 or an `errno` value.
    private func place(_ temporary: String, at target: String) -> Int32 {
        if replaces { return rename(temporary, target) == 0 ? 0 : errno }
        if link(temporary, target) == 0 {
            unlink(temporary)
            return 0
        }
        guard [EPERM, EOPNOTSUPP, ENOSYS].contains(errno) else { return errno }
        // A file system without hard links, such as FAT: look and then rename, which someone may come between.
        var status = stat()
        if lstat(target, &status) == 0 { return EEXIST }
        return rename(temporary, target) == 0 ? 0 : errno
    }

    private static func write(_ data: Data, to path: String) throws(ImageError) {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard file >= 0 else { throw error(path, errno) }
        let failure = data.withUnsafeBytes { bytes -> Int32 in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Glibc.write(file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if count < 0, errno != EINTR {
                    return errno
                }
            }
            return 0
        }
        let closing = close(file) == 0 || errno == EINTR ? 0 : errno
        if failure != 0 || closing != 0 { throw error(path, failure != 0 ? failure : closing) }
    }

    private static func error(_ what: String, _ number: Int32) -> ImageError {
        let (code, advice): (ImageError.Code, String) =
            switch number {
            case ENOSPC, EDQUOT: (.diskFull, "free some space, or choose another folder with -o")
            case EACCES, EPERM, EROFS: (.permissionDenied, "choose a folder that you may write to with -o")
            case ENOTDIR: (.ioFailed, "name a folder with -o, not a file")
            default: (.ioFailed, "check the folder, or choose another one with -o")
            }
        return ImageError(
            code,
            "cannot write \(what): \(String(cString: strerror(number)))",
            advice: advice,
            stage: .save
        )
    }
}

extension ImageError.Stage {
    /// Writing a picture to the folder that the user chose.
    static let save = ImageError.Stage("save")
    /// Reading a file that the user named.
    static let read = ImageError.Stage("read")
}
