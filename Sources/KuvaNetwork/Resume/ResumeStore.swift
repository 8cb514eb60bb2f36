internal import FoundationEssentials
internal import Glibc
public import KuvaCore

/// Keeps the beginnings of bodies whose transfers broke, in a folder, so that later ones, of this program's next run
/// too, go on from there.
///
/// Each is a file of its own that appears whole or not at all; a damaged one is a miss. When the folder holds more than
/// allowed, what was not touched for longest goes first. Any thread may call; the work is done on a thread of the
/// store's own, which starts, and reads the folder, at the first use. Several downloaders may share a store. Programs may
/// share a folder: what one does then may cost the other the beginning of a body, but never give it wrong bytes.
public final class ResumeStore: Sendable {
    /// How much a store keeps.
    public struct Limits: Sendable {
        /// Bytes of all files together; 64 MB by default.
        public var totalByteCount = 64_000_000
        /// Files; 100 by default.
        public var fileCount = 100
        /// Shorter beginnings are not worth a file; 64 KiB by default.
        public var minimumByteCount = 64 << 10

        /// The defaults.
        public init() {}
    }

    fileprivate struct State: Sendable {
        /// What is in the folder, by name; `nil` until it has been read.
        var files: [String: (byteCount: Int, touched: UInt64)]?
        var nextTouch: UInt64 = 0
        /// Whether reading the folder has been asked for.
        var isOpen = false
    }

    /// The folder.
    public let path: String
    /// How much is kept.
    public let limits: Limits

    private let state = Lock(State())
    private let pool = WorkPool(name: "kuva-resume", threads: 1)

    /// Uses a folder, which is made when there is something to put into it. Nothing else should be in it.
    ///
    /// - Throws: ``ImageError`` with the code `invalid-configuration` for a limit below 1.
    public init(path: String, limits: Limits = Limits()) throws(ImageError) {
        guard limits.totalByteCount > 0, limits.fileCount > 0, limits.minimumByteCount > 0, !path.isEmpty else {
            throw ImageError(
                .invalidConfiguration,
                "a limit of the resume store is below 1, or it has no folder",
                advice: "set limits of at least 1 and a path",
                stage: .request
            )
        }
        self.path = path
        self.limits = limits
    }

    /// Does something on the store's thread, after the folder has been read.
    private func submit(priority: Priority = .normal, _ work: @escaping @Sendable () -> Void) {
        let isFirst = state.withLock { state in
            defer { state.isOpen = true }
            return !state.isOpen
        }
        if isFirst { pool.submit(priority: .veryHigh) { [self] in readFolder() } }
        pool.submit(priority: priority, work)
    }

    /// Bytes in the folder, as far as it has been read.
    public var byteCount: Int { state.withLock { $0.files?.values.reduce(0) { $0 + $1.byteCount } ?? 0 } }

    /// Beginnings in the folder, as far as it has been read.
    public var count: Int { state.withLock { $0.files?.count ?? 0 } }

    /// Forgets everything.
    public func removeAll() {
        submit { [self] in
            let names = state.withLock { state in
                defer { state.files = [:] }
                return state.files.map { Array($0.keys) } ?? []
            }
            for name in names { unlink("\(path)/\(name)") }
        }
    }

    /// Returns once everything asked for so far has been done; for programs that end, and tests.
    public func flush() async {
        await withCheckedContinuation { continuation in
            submit(priority: .veryLow) { continuation.resume() }
        }
    }

    // MARK: Downloaders

    /// Whether there may be a beginning; at once, without asking the disk.
    func mayHold(_ address: String) -> Bool {
        state.withLock { state in
            guard let files = state.files else { return true }
            return !files.isEmpty && files[PartialFile.name(of: address)] != nil
        }
    }

    /// Reads the beginning of a body, if there is one, and hands it to `then` on the store's thread.
    func read(_ address: String, then: @escaping @Sendable (PartialBody?) -> Void) {
        submit { [self] in
            let name = PartialFile.name(of: address)
            let isThere = state.withLock { state in
                state.nextTouch += 1
                state.files?[name]?.touched = state.nextTouch
                return state.files?[name] != nil
            }
            guard isThere, let file = try? Data(contentsOf: URL(filePath: "\(path)/\(name)")) else { return then(nil) }
            let partial = PartialFile.decode(file, address: address)
            if partial == nil { forget(name) }
            then(partial)
        }
    }

    /// Keeps the beginning of a body in place of an earlier one, if it is worth it.
    func keep(_ partial: PartialBody, of address: String) {
        let size = partial.bytes.count
        guard size >= limits.minimumByteCount, size <= limits.totalByteCount / 2 else { return }
        submit { [self] in
            let name = PartialFile.name(of: address)
            let file = PartialFile.encode(partial, address: address)
            makeFolder()
            guard write(file, to: name) else { return }
            let evicted = state.withLock { state -> [String] in
                state.nextTouch += 1
                state.files?[name] = (file.count, state.nextTouch)
                return state.evict(limits)
            }
            for name in evicted { unlink("\(path)/\(name)") }
        }
    }

    /// There is nothing to resume any longer.
    func remove(_ address: String) {
        guard mayHold(address) else { return }
        submit { [self] in forget(PartialFile.name(of: address)) }
    }

    private func forget(_ name: String) {
        state.withLock { _ = $0.files?.removeValue(forKey: name) }
        unlink("\(path)/\(name)")
    }

    /// Makes the folder and those around it, as far as they are missing.
    private func makeFolder() {
        for (index, byte) in path.utf8.enumerated() where byte == 0x2F && index > 0 {
            mkdir(String(decoding: path.utf8.prefix(index), as: UTF8.self), 0o700)
        }
        mkdir(path, 0o700)
    }

    /// Writes beside the name and puts it in place; a reader, and the next run, see all of it or nothing.
    private func write(_ file: Data, to name: String) -> Bool {
        let temporary = "\(path)/\(name).new"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        var isWhole = file.withUnsafeBytes { bytes in
            var offset = 0
            while offset < bytes.count {
                let count = Glibc.write(descriptor, bytes.baseAddress! + offset, bytes.count - offset)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                offset += count
            }
            return true
        }
        isWhole = close(descriptor) == 0 && isWhole
        guard isWhole, rename(temporary, "\(path)/\(name)") == 0 else {
            unlink(temporary)
            return false
        }
        return true
    }

    /// Learns what an earlier run left, oldest first, and clears away what it did not finish.
    private func readFolder() {
        var found: [(name: String, byteCount: Int, time: Int)] = []
        if let folder = opendir(path) {
            while let entry = readdir(folder) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                var status = stat()
                guard stat("\(path)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
                if name.hasSuffix(".new"), PartialFile.isName(String(name.dropLast(4))) { unlink("\(path)/\(name)") }
                guard PartialFile.isName(name) else { continue }
                found.append((name, Int(status.st_size), status.st_mtim.tv_sec))
            }
            closedir(folder)
        }
        found.sort { $0.time < $1.time }
        let evicted = state.withLock { [found] state -> [String] in
            var files: [String: (byteCount: Int, touched: UInt64)] = [:]
            for file in found {
                state.nextTouch += 1
                files[file.name] = (file.byteCount, state.nextTouch)
            }
            state.files = files
            return state.evict(limits)
        }
        for name in evicted { unlink("\(path)/\(name)") }
    }
}

extension ResumeStore.State {
    /// Forgets the least recently touched files until the rest is within the limits. Returns their names.
    fileprivate mutating func evict(_ limits: ResumeStore.Limits) -> [String] {
        guard var kept = files else { return [] }
        var total = kept.values.reduce(0) { $0 + $1.byteCount }
        guard total > limits.totalByteCount || kept.count > limits.fileCount else { return [] }
        var evicted: [String] = []
        for (name, file) in kept.sorted(by: { $0.value.touched < $1.value.touched }) {
            guard total > limits.totalByteCount || kept.count > limits.fileCount else { break }
            kept[name] = nil
            total -= file.byteCount
            evicted.append(name)
        }
        files = kept
        return evicted
    }
}
