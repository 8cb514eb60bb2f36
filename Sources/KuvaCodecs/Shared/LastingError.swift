internal import KuvaCore

/// An error that stays: after a step that failed, every further one fails as it did.
struct LastingError {
    private var error: ImageError?

    /// - Throws: the error of the step that failed, if one did.
    func check() throws(ImageError) {
        if let error { throw error }
    }

    /// Does a step, if none has failed.
    ///
    /// - Parameter abandon: called when it fails, to let go of what is of no use any more.
    mutating func run<R>(
        _ step: () throws(ImageError) -> R,
        abandon: () -> Void = {}
    ) throws(ImageError) -> R {
        try check()
        do throws(ImageError) {
            return try step()
        } catch {
            self.error = error
            abandon()
            throw error
        }
    }
}
