internal import Glibc
internal import KuvaCore

/// Holds threads until a test lets them pass: the way to stop a server or a fake in the middle of its work without
/// sleeping.
///
/// Any thread may call every method.
public final class Gate: Sendable {
    // A pipe: each byte in it lets one wait pass, and its end, once the writing side is closed, lets all pass. So a
    // thread can wait for the gate and for a socket at once.
    private let readEnd: Int32
    private let writeEnd: Lock<Int32?>

    /// Makes a closed gate.
    public init() {
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        readEnd = ends[0]
        writeEnd = Lock(ends[1])
    }

    deinit {
        open()
        close(readEnd)
    }

    /// Lets everything pass, now and from now on.
    public func open() {
        writeEnd.withLock { end in
            if let descriptor = end { close(descriptor) }
            end = nil
        }
    }

    /// Lets `count` waits pass, those that wait now or the next ones to come.
    public func admit(_ count: Int = 1) {
        let permits = [UInt8](repeating: 0, count: max(0, count))
        writeEnd.withLock { end in
            if let end { _ = write(end, permits, permits.count) }
        }
    }

    /// Blocks the calling thread until the gate lets it pass. Never call it on Swift's cooperative pool.
    public func wait() { _ = wait(watching: []) }

    /// What ended a wait.
    enum Passage: Equatable {
        case passed
        /// The descriptor at this index became ready first.
        case ready(Int)
    }

    /// Blocks until the gate lets the caller pass or one of the descriptors is ready.
    func wait(watching others: [pollfd]) -> Passage {
        while true {
            var descriptors = others + [pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)]
            guard poll(&descriptors, nfds_t(descriptors.count), -1) > 0 else { continue }
            if let index = descriptors.dropLast().firstIndex(where: { $0.revents != 0 }) { return .ready(index) }
            var permit: UInt8 = 0
            // Another waiter may have taken the permit in between.
            if read(readEnd, &permit, 1) >= 0 { return .passed }
        }
    }

    /// What to poll to learn that the gate is open for all; only for gates whose permits nobody takes.
    var descriptor: pollfd { pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0) }
}
