internal import FoundationEssentials
internal import Glibc
internal import KuvaCore

/// Reads one file for a ticket. Blocks.
enum FileReading {
    /// Bytes asked of the system at once; also how often cancelling is looked at.
    private static let stepByteCount = 256 << 10

    static func read(_ ticket: LoadTicket, limit: Int64) -> Result<LoadedData, ImageError> {
        do throws(ImageError) {
            return .success(LoadedData(bytes: try bytes(ticket, limit: limit), isCacheable: false))
        } catch {
            return .failure(error)
        }
    }

    private static func bytes(_ ticket: LoadTicket, limit: Int64) throws(ImageError) -> Data {
        let path = try path(of: ticket.request.url)
        try check(ticket)
        // Not to wait for the other side of a pipe; regular files do not mind.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw systemError(errno, path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw systemError(errno, path) }
        try checkKind(status.st_mode, path)
        let size = Int64(status.st_size)
        guard size <= limit else { throw tooLarge(path, limit) }
        return try read(descriptor, path, size: size, limit: limit, for: ticket)
    }

    private static func read(
        _ descriptor: Int32,
        _ path: String,
        size: Int64,
        limit: Int64,
        for ticket: LoadTicket
    ) throws(ImageError) -> Data {
        var body = BodyBuffer()
        // One byte more than the size, so that the read that finds the end needs no more room.
        guard body.reserve(size + 1) else { throw AnswerErrors.outOfMemory(0) }
        while true {
            try check(ticket)
            let left = size - Int64(body.count) + 1
            let step = left > 1 ? min(Int(clamping: left), stepByteCount) : 4096
            let (read, failure) = try readSome(descriptor, upTo: step, into: &body)
            guard let read else { throw AnswerErrors.outOfMemory(Int64(body.count)) }
            if read < 0 {
                if failure == EINTR { continue }
                throw systemError(failure, path)
            }
            guard Int64(body.count) <= limit else { throw tooLarge(path, limit) }
            if read == 0 { break }
            // The file may have grown since its size was read.
            let expected = max(size, Int64(body.count))
            ticket.report(LoadProgress(receivedByteCount: Int64(body.count), expectedByteCount: expected))
        }
        guard body.count > 0 else {
            throw ImageError(.emptyBody, "the file \(path) is empty", advice: "check that it is the right file")
        }
        return body.take()
    }

    private static func readSome(
        _ descriptor: Int32,
        upTo count: Int,
        into body: inout BodyBuffer
    ) throws(ImageError) -> (count: Int?, failure: Int32) {
        var failure: Int32 = 0
        let read = body.append(upTo: count) { space in
            let read = Glibc.read(descriptor, space.baseAddress, space.count)
            if read < 0 { failure = errno }
            return read
        }
        return (read, failure)
    }

    private static func path(of url: URL) throws(ImageError) -> String {
        let host = url.host()?.lowercased() ?? ""
        guard host.isEmpty || host == "localhost" else {
            throw ImageError(
                .invalidURL,
                "the file is on another machine, “\(host)”",
                advice: "write the address as file:///path, with three slashes"
            )
        }
        let path = url.path(percentEncoded: false)
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw ImageError(.invalidURL, "the address names no file", advice: "write it as file:///path")
        }
        return path
    }

    private static func check(_ ticket: LoadTicket) throws(ImageError) {
        if ticket.isCancelled { throw ImageError(.cancelled, "the load was cancelled") }
    }

    private static func checkKind(_ mode: mode_t, _ path: String) throws(ImageError) {
        switch mode & S_IFMT {
        case S_IFREG: return
        case S_IFDIR:
            throw ImageError(.notAnImage, "\(path) is a folder", advice: "name one of the files in it")
        default:
            throw ImageError(.notAnImage, "\(path) is not a regular file", advice: "copy its contents to a file first")
        }
    }

    private static func tooLarge(_ path: String, _ limit: Int64) -> ImageError {
        ImageError(
            .bodyTooLarge,
            "the file \(path) is longer than \(limit) bytes",
            advice: "raise maximumByteCount in the configuration if you trust the file"
        )
    }

    private static func systemError(_ number: Int32, _ path: String) -> ImageError {
        switch number {
        case ENOENT, ENOTDIR:
            return ImageError(.fileNotFound, "there is no file \(path)", advice: "check the path")
        case EACCES, EPERM:
            return ImageError(
                .permissionDenied,
                "\(path) may not be read",
                advice: "give this user the right to read it and its folders"
            )
        case ENAMETOOLONG, ELOOP:
            return ImageError(.invalidURL, "\(path) cannot be a file's path", advice: "check the path")
        default:
            let words = String(cString: strerror(number))
            return ImageError(.ioFailed, "\(path) cannot be read: \(words)", advice: "check the disk")
        }
    }
}
