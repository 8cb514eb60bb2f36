import Dispatch
import Glibc
import KuvaCore
import Testing

@Suite("Work pool", .timeLimit(.minutes(10)))
struct WorkPoolTests {
    /// Keeps one thread of a pool busy until it is opened.
    private final class Gate: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)
        private let entered = Latch()

        init(blocking pool: WorkPool) {
            pool.submit(priority: .veryHigh) { [self] in
                entered.arrive()
                semaphore.wait()
            }
        }

        func waitUntilEntered() async { await entered.wait() }
        func open() { semaphore.signal() }
    }

    @Test func everyPieceRunsExactlyOnce() async {
        let pool = WorkPool(name: "test", threads: 4)
        let runs = Lock([Int](repeating: 0, count: 1000))
        let done = Latch(1000)
        for index in 0..<1000 {
            pool.submit(priority: Priority.allCases[index % 5]) {
                runs.withLock { $0[index] += 1 }
                done.arrive()
            }
        }
        await done.wait()
        #expect(runs.withLock { $0.allSatisfy { $0 == 1 } })
        #expect(pool.waitingCount == 0)
    }

    @Test func waitingWorkRunsByPriorityThenArrival() async {
        let pool = WorkPool(name: "test", threads: 1)
        let gate = Gate(blocking: pool)
        await gate.waitUntilEntered()
        let order = Lock<[String]>([])
        let done = Latch(5)
        let note = { @Sendable (name: String) -> @Sendable () -> Void in
            {
                order.withLock { $0.append(name) }
                done.arrive()
            }
        }
        pool.submit(priority: .low, note("low"))
        pool.submit(priority: .normal, note("normal 1"))
        let raised = pool.submit(priority: .veryLow, note("raised"))
        pool.submit(priority: .high, note("high"))
        pool.submit(note("normal 2"))
        pool.setPriority(.veryHigh, of: raised)
        #expect(pool.waitingCount == 5)
        gate.open()
        await done.wait()
        #expect(order.withLock { $0 } == ["raised", "high", "normal 1", "normal 2", "low"])
    }

    @Test func cancelledWorkNeverRunsAndRunningWorkCannotBeCancelled() async {
        let pool = WorkPool(name: "test", threads: 1)
        let gate = Gate(blocking: pool)
        await gate.waitUntilEntered()
        let ran = Lock<[String]>([])
        let done = Latch()
        let cancelled = pool.submit { ran.withLock { $0.append("cancelled") } }
        let kept = pool.submit {
            ran.withLock { $0.append("kept") }
            done.arrive()
        }
        #expect(pool.cancel(cancelled))
        #expect(!pool.cancel(cancelled))
        gate.open()
        await done.wait()
        #expect(!pool.cancel(kept))
        #expect(ran.withLock { $0 } == ["kept"])
    }

    @Test func threadsRunSideBySideUpToTheBoundAndNoMore() async {
        let pool = WorkPool(name: "test", threads: 3)
        let now = Lock((running: 0, most: 0))
        let done = Latch(9)
        // Each piece waits for two others, so that fewer than three threads would never end.
        let arrivals = Lock(0)
        let meetings = (0..<3).map { _ in DispatchSemaphore(value: 0) }
        for _ in 0..<9 {
            pool.submit {
                now.withLock {
                    $0.running += 1
                    $0.most = max($0.most, $0.running)
                }
                let turn = arrivals.withLock { count in
                    defer { count += 1 }
                    return count
                }
                if turn % 3 == 2 {
                    for _ in 0..<2 { meetings[turn / 3].signal() }
                } else {
                    meetings[turn / 3].wait()
                }
                now.withLock { $0.running -= 1 }
                done.arrive()
            }
        }
        await done.wait()
        #expect(now.withLock { $0.most } == 3)
    }

    @Test func releasedPoolEndsItsThreadsAfterTheWaitingWork() async {
        let ended = Latch()
        let order = Lock<[String]>([])
        // A thread's own value is destroyed when the thread ends.
        final class Farewell: Sendable {
            let say: @Sendable () -> Void
            init(_ say: @escaping @Sendable () -> Void) { self.say = say }
        }
        var key = pthread_key_t()
        pthread_key_create(&key) { Unmanaged<Farewell>.fromOpaque($0!).takeRetainedValue().say() }
        let threadKey = key
        var pool: WorkPool? = WorkPool(name: "test", threads: 1)
        let gate = pool.map(Gate.init(blocking:))
        await gate?.waitUntilEntered()
        pool?.submit {
            let farewell = Farewell {
                order.withLock { $0.append("end") }
                ended.arrive()
            }
            pthread_setspecific(threadKey, Unmanaged.passRetained(farewell).toOpaque())
            order.withLock { $0.append("work") }
        }
        pool = nil
        gate?.open()
        await ended.wait()
        pthread_key_delete(threadKey)
        #expect(order.withLock { $0 } == ["work", "end"])
    }

    @Test func fewerThanOneThreadCountsAsOne() async {
        let pool = WorkPool(name: "test", threads: -3)
        #expect(pool.maximumThreadCount == 1)
        let done = Latch()
        pool.submit { done.arrive() }
        await done.wait()
    }
}
