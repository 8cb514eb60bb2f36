internal import FoundationEssentials
internal import Glibc
internal import Kuva

/// Reads as much of a file as the description of its picture needs, and no more; or all of it.
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
    func info(by decoders: any ImageDecoderProvider) throws(ImageError) -> FileInfo {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw Self.error(errno) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw Self.error(errno) }
        var info = try info(file, decoders)
        // A pipe has no size: what has come is all that is known.
        if status.st_mode & S_IFMT == S_IFREG { info.byteCount = Int64(status.st_size) }
        return info
    }

    /// All bytes of the file.
    ///
    /// - Throws: ``ImageError`` at the stage `read`.
    func contents() throws(ImageError) -> Data {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw Self.error(errno) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw Self.error(errno) }
        // One byte more than it should have shows its end.
        var (all, isLast) = try Self.read(file, max(Self.firstRead, min(Int(status.st_size) + 1, 1 << 30)))
        while !isLast {
            let next = try Self.read(file, Self.largestRead)
            all.append(next.bytes)
            isLast = next.isLast
        }
        return all
    }

    private func info(_ file: Int32, _ decoders: any ImageDecoderProvider) throws(ImageError) -> FileInfo {
        var size = Self.firstRead
        var (bytes, isLast) = try Self.read(file, size)
        // Of stored pixels no colour is converted, so that no time goes into profiles.
        guard let decoder = decoders.makeDecoder(forPrefix: bytes, options: DecodeOptions(pixels: .stored)) else {
            throw UnrecognisedBytes.error(for: bytes).locating(stage: .decode)
        }
        var received: Int64 = 0
        while true {
            received += Int64(bytes.count)
            decoder.append(bytes, isLast: isLast)
            do throws(ImageError) {
                if case .done(let info) = try decoder.readInfo(),
                    isLast || info.isCompleteInHeader && decoder.hasFoundAllFrames
                {
                    var found = FileInfo(source: path, info: info, byteCount: received)
                    found.frames = FrameList(decoder)
                    if let reader = decoder as? any ImageMetadataReading,
                        case .done(let metadata) = try reader.readMetadata()
                    {
                        found.metadata = metadata
                    }
                    return found
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
            size = min(size * 2, Self.largestRead)
            (bytes, isLast) = try Self.read(file, size)
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

extension ImageDecoder {
    /// Whether no further frame will be found; always for a still picture.
    fileprivate var hasFoundAllFrames: Bool { (self as? any AnimationDecoder)?.hasAllFrames ?? true }
}
