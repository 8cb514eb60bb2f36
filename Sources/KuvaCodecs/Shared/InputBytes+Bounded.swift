internal import FoundationEssentials
internal import KuvaCore

extension InputBytes {
    /// The bytes as far as they have come, to read by offset. The view is valid inside `body` only.
    func withBoundedBytes<R>(_ body: (BoundedBytes) throws(ImageError) -> R) throws(ImageError) -> R {
        // Data's own method throws any error, so the result carries the typed one out.
        let result: Result<R, ImageError> = data.withUnsafeBytes { raw in
            do throws(ImageError) {
                return .success(try body(BoundedBytes(raw)))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
