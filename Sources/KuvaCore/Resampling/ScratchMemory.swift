internal import Glibc

/// Memory for rows on their way, zero at first; freed with its owner.
struct ScratchMemory: ~Copyable {
    let address: UnsafeMutableRawPointer

    /// Room for `rows` rows of `rowBytes` bytes each.
    ///
    /// - Throws: ``ImageError`` with the code `out-of-memory`.
    init(rows: Int, rowBytes: Int) throws(ImageError) {
        let (byteCount, overflow) = rows.multipliedReportingOverflow(by: rowBytes)
        guard !overflow, byteCount >= 0, byteCount <= Self.maximumByteCount, let address = calloc(max(1, byteCount), 1)
        else {
            throw ImageError(
                .outOfMemory,
                "scaling the picture needs \(rows) rows of \(rowBytes) bytes at once",
                advice: "ask for a size with proportions closer to those of the picture"
            )
        }
        self.address = address
    }

    deinit { free(address) }

    /// The system promises more memory than it has, so that a bound must be set here. A picture scaled in proportion
    /// needs a thousandth of this.
    private static let maximumByteCount = 1 << 30
}
