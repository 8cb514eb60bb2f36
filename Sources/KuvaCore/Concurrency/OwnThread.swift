internal import CKuvaThread

/// A named, detached thread of Kuva's own, for work that blocks.
package enum OwnThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Whether the calling thread is the one that `main` runs on.
    package static var isMain: Bool { kuva_thread_is_main() != 0 }

    /// Starts a thread that calls `run` and ends.
    ///
    /// - Parameter name: what debuggers show; cut to 15 bytes.
    /// - Returns: whether the system gave a thread; `run` is never called if not.
    package static func start(name: String, _ run: @escaping @Sendable () -> Void) -> Bool {
        let body = Unmanaged.passRetained(Body(run: run))
        let status = kuva_thread_start(
            name,
            { argument in
                guard let argument else { return }
                Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
            },
            body.toOpaque()
        )
        if status != 0 { body.release() }
        return status == 0
    }
}
