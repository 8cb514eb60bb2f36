internal import FoundationEssentials
internal import Glibc
internal import Kuva

/// Reads as much of a file as the description of its picture needs, and no more.
///
/// Blocks on I/O: call it on a thread of your own.
struct FileHead {
    /// Enough for every signature, and for the header of most files.
    static let firstRead = 64 << 10
    private static let largestRead = 4 << 20

    let path: String

    /// What the file says about its picture, and how long it is.
    ///
    /// - Throws: ``ImageError`` at the stage `read` or `decode`.
    func info(by decoders: any ImageDecoderProvider) throws(ImageError) -> (info: ImageInfo, byteCount: Int64) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw Self.error(errno) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw Self.error(errno) }
        var (info, received) = try Self.info(file, decoders)
        // A pipe has no size: what has come is all that is known.
        if status.st_mode & S_IFMT == S_IFREG { received = Int64(status.st_size) }
        return (info, received)
    }

    private static func info(
        _ file: Int32,
        _ decoders: any ImageDecoderProvider
    ) throws(ImageError) -> (ImageInfo, received: Int64) {
        var size = firstRead
        var (bytes, isLast) = try read(file, size)
        guard let decoder = decoders.makeDecoder(forPrefix: bytes, options: DecodeOptions()) else {
            throw UnrecognisedBytes.error(for: bytes).locating(stage: .decode)
        }
        var received: Int64 = 0
        while true {
            received += Int64(bytes.count)
            decoder.append(bytes, isLast: isLast)
            do throws(ImageError) {
                if case .done(let info) = try decoder.readInfo(), isLast || info.isCompleteInHeader {
                    return (info, received)
                }
            } catch {
                throw error.locating(stage: .decode)
            }
            guard !isLast else {
                throw ImageError(
                    .truncatedImage,
                    "the \(decoder.format) file ends inside its header",
                    advice: "get it again from its source",
                    stage: .decode
                )
            }
            size = min(size * 2, largestRead)
            (bytes, isLast) = try read(file, size)
        }
    }

    /// The next `count` bytes; fewer only at the end of the file.
    private static func read(_ file: Int32, _ count: Int) throws(ImageError) -> (bytes: Data, isLast: Bool) {
        var bytes = Data(count: count)
        let (filled, failure) = bytes.withUnsafeMutableBytes { buffer -> (Int, Int32) in
            var filled = 0
            while filled < count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                let got = Glibc.read(file, rest.baseAddress, rest.count)
                if got == 0 { break }
                if got > 0 {
                    filled += got
                } else if errno != EINTR {
                    return (filled, errno)
                }
            }
            return (filled, 0)
        }
        if failure != 0 { throw error(failure) }
        return (bytes.prefix(filled), filled < count)
    }

    private static func error(_ number: Int32) -> ImageError {
        let (code, message, advice): (ImageError.Code, String, String) =
            switch number {
            case ENOENT, ENOTDIR: (.fileNotFound, "there is no such file", "check the name")
            case EACCES, EPERM: (.permissionDenied, "you may not read it", "ask its owner for the right to")
            case EISDIR: (.ioFailed, "it is a folder", "name the pictures in it")
            default: (.ioFailed, "reading it failed: \(String(cString: strerror(number)))", "check the disk")
            }
        return ImageError(code, message, advice: advice, stage: .read)
    }
}

extension ImageInfo {
    /// Whether the rest of the file changes nothing: GIF, and animated WebP, say how many frames they have only by
    /// having them.
    fileprivate var isCompleteInHeader: Bool {
        switch format {
        case .gif, .avis: false
        case .webp: loopCount == nil
        default: true
        }
    }
}
