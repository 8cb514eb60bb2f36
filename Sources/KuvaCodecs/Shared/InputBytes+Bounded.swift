internal import KuvaCore

extension InputBytes {
    /// The bytes as far as they have come, to read by offset. The view is valid inside `body` only.
    func withBoundedBytes<R>(_ body: (BoundedBytes) throws(ImageError) -> R) throws(ImageError) -> R {
        try withBytes { bytes throws(ImageError) in try body(BoundedBytes(bytes)) }
    }
}
