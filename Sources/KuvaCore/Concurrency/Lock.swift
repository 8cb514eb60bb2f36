public import Glibc

/// A value behind a `pthread_mutex_t`.
///
/// Decide inside, act outside: the closure should change the value and return what must be done, and the caller does
/// it after the lock is released. Not recursive. `Synchronization.Mutex` is not used because ThreadSanitizer does not
/// see its futex on Linux and reports races that are none.
public final class Lock<State: Sendable>: @unchecked Sendable {
    // Unchecked: `state` is touched only between lock and unlock.
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
    @usableFromInline var state: State

    /// Makes an unlocked lock around a value.
    public init(_ state: State) {
        self.state = state
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` with exclusive access to the value. Blocks the thread while another one is inside.
    @inlinable
    public func withLock<R, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&state)
    }
}
