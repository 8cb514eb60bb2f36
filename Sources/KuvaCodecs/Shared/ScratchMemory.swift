internal import Glibc
internal import KuvaCore

/// A block of zeroed memory that lives as long as its owner.
final class ScratchMemory {
    let start: UnsafeMutableRawPointer
    let byteCount: Int

    /// - Throws: `out-of-memory`.
    init(byteCount: Int) throws(ImageError) {
        guard let start = calloc(max(1, byteCount), 1) else {
            throw ImageError(
                .outOfMemory,
                "the system did not give \(byteCount) bytes to decode a picture",
                advice: "lower the memory limits of the caches"
            )
        }
        self.start = start
        self.byteCount = byteCount
    }

    deinit { free(start) }
}
