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
    // A byte for each arrival, which wakes who waits for arrivals.
    private let arrivals: (read: Int32, write: Int32)
    private let arrivedCount = Lock(0)

    /// Makes a gate, closed unless said otherwise.
    public init(isOpen: Bool = false) {
        let permits = Self.makePipe()
        readEnd = permits.read
        writeEnd = Lock(permits.write)
        arrivals = Self.makePipe()
        if isOpen { open() }
    }

    deinit {
        open()
        close(readEnd)
        close(arrivals.read)
        close(arrivals.write)
    }

    private static func makePipe() -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        return (ends[0], ends[1])
    }

    /// Blocks the calling thread until `count` threads have come to the gate since it was made.
    public func waitForArrivals(_ count: Int) {
        while arrivedCount.withLock({ $0 }) < count {
            var descriptor = pollfd(fd: arrivals.read, events: Int16(POLLIN), revents: 0)
            poll(&descriptor, 1, -1)
            var byte: UInt8 = 0
            _ = read(arrivals.read, &byte, 1)
        }
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
        arrivedCount.withLock { $0 += 1 }
        _ = write(arrivals.write, [0], 1)
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
