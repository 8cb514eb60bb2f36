internal import Glibc

/// Holds threads back until a test opens it. For threads of Kuva's own only: it blocks.
public final class Gate: @unchecked Sendable {
    // Unchecked: everything is touched with `mutex` held.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var isOpen: Bool
    private var arrived = 0

    /// Makes a gate, closed unless said otherwise.
    public init(isOpen: Bool = false) {
        self.isOpen = isOpen
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        condition = .allocate(capacity: 1)
        condition.initialize(to: pthread_cond_t())
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Lets everyone through, now and later.
    public func open() {
        pthread_mutex_lock(mutex)
        isOpen = true
        pthread_mutex_unlock(mutex)
        pthread_cond_broadcast(condition)
    }

    /// Blocks until the gate is open.
    public func wait() {
        pthread_mutex_lock(mutex)
        arrived += 1
        pthread_cond_broadcast(condition)
        while !isOpen { pthread_cond_wait(condition, mutex) }
        pthread_mutex_unlock(mutex)
    }

    /// Blocks until `count` threads have come to ``wait()``.
    public func waitForArrivals(_ count: Int) {
        pthread_mutex_lock(mutex)
        while arrived < count { pthread_cond_wait(condition, mutex) }
        pthread_mutex_unlock(mutex)
    }
}
