internal import FoundationEssentials

extension Data {
    /// Lends the bytes for the time of the call, as `withUnsafeBytes` does, and hands on the type of an error.
    func lend<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        let result: Result<R, E> = withUnsafeBytes { bytes in
            do throws(E) {
                return .success(try body(bytes))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
