public import Glibc

/// A value behind a `pthread_mutex_t`. Copies are one and the same lock.
///
/// Decide inside, act outside: the closure should change the value and return what must be done, and the caller does
/// it after the lock is released. Not recursive. `Synchronization.Mutex` is not used because ThreadSanitizer does not
/// see its futex on Linux and reports races that are none.
public struct Lock<State: Sendable>: @unchecked Sendable {
    // Unchecked: the state is touched only between lock and unlock.
    @usableFromInline let storage: ManagedBuffer<State, pthread_mutex_t>

    /// The state and its mutex in one block of memory, where the mutex never moves.
    private final class Storage: ManagedBuffer<State, pthread_mutex_t> {
        deinit { _ = withUnsafeMutablePointerToElements { pthread_mutex_destroy($0) } }
    }

    /// Makes an unlocked lock around a value.
    public init(_ state: State) {
        storage = Storage.create(minimumCapacity: 1) { _ in state }
        storage.withUnsafeMutablePointerToElements { mutex in
            mutex.initialize(to: pthread_mutex_t())
            pthread_mutex_init(mutex, nil)
        }
    }

    /// Runs `body` with exclusive access to the value. Blocks the thread while another one is inside.
    @inlinable
    public func withLock<R, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
        let (state, mutex) = storage.withUnsafeMutablePointers { ($0, $1) }
        pthread_mutex_lock(mutex)
        defer {
            pthread_mutex_unlock(mutex)
            withExtendedLifetime(storage) {}
        }
        return try body(&state.pointee)
    }
}
