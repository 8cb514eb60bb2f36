internal import Glibc
internal import KuvaCore

extension SystemCallError: CustomStringConvertible {
    package var description: String { "\(call) \(path): \(String(cString: strerror(number)))" }
}

extension SystemCallError {
    /// The error for callers: what it means for the cache and what to do.
    ///
    /// - Parameter isPreparing: whether the folder itself was being opened, so that the cache cannot be used at all.
    func imageError(_ stage: ImageError.Stage, isPreparing: Bool = false) -> ImageError {
        let reason = String(cString: strerror(number))
        switch number {
        case ENOSPC, EDQUOT:
            return ImageError(
                .diskFull,
                "the disk that holds the image cache is full (\(path))",
                advice: "free some space, or put the cache on another disk",
                stage: stage,
                cause: self
            )
        case ENOTDIR, ELOOP:
            return unavailable("\(path) is not in a folder", stage)
        case EACCES, EPERM, EROFS:
            if isPreparing { return unavailable("the folder cannot be used: \(path): \(reason)", stage) }
            return ImageError(
                .permissionDenied,
                "the image cache may not use \(path): \(reason)",
                advice: "check who owns the cache folder and its rights, or choose another folder",
                stage: stage,
                cause: self
            )
        default:
            if isPreparing || number == ENOENT { return unavailable("\(call) \(path): \(reason)", stage) }
            return ImageError(
                .ioFailed,
                "the image cache could not \(call) \(path): \(reason)",
                advice: "check the disk; the cache works again once the system can use it",
                stage: stage,
                cause: self
            )
        }
    }

    private func unavailable(_ message: String, _ stage: ImageError.Stage) -> ImageError {
        ImageError(
            .cacheUnavailable,
            "the image cache is not available: \(message)",
            advice: "make the folder writable, or choose another one for the cache",
            stage: stage,
            cause: self
        )
    }
}
