import FoundationEssentials
import KuvaCore
import KuvaPipeline
import KuvaTesting
import KuvaUI
import Testing

/// Loads that another thread starts, as lists have them.
@MainActor
@Suite("Loads started elsewhere", .serialized, .timeLimit(.minutes(10)))
struct LateStartTests {
    let stage = Stage(startsElsewhere: true)

    @Test func pictureInMemoryIsShownBeforeTheCallReturns() throws {
        try stage.remember("a", width: 7)
        try stage.set("a")
        #expect(stage.ends == ["a loaded memory"])
        #expect(stage.view.log == ["display 7"])
        #expect(stage.loader.loads.isEmpty)
    }

    @Test func pictureComesFromItsSource() async throws {
        try stage.set("a")
        #expect(stage.view.log == ["display nothing", "loading"])
        await stage.loader.waitForLoads(1)
        stage.succeed(0, width: 5)
        await stage.waitForEnds(1)
        #expect(stage.ends == ["a loaded local"])
        #expect(stage.view.log == ["display nothing", "loading", "idle", "display 5"])
        #expect(stage.manager.runningTaskCount == 0)
    }

    @Test func oldLoadEndsOnceBeforeTheNewOne() async throws {
        try stage.set("a")
        await stage.loader.waitForLoads(1)
        try stage.set("b")
        #expect(stage.ends == ["a replaced"])
        await stage.loader.waitForLoads(2)
        stage.succeed(0, width: 1)
        stage.succeed(1, width: 2)
        await stage.waitForEnds(2)
        await drainMainQueue()
        #expect(stage.ends == ["a replaced", "b loaded local"])
        #expect(stage.view.log.last == "display 2")
    }

    @Test func aHundredReplacedAtOnceEndOnceEachAndTheLastIsShown() async throws {
        for number in 0..<100 { try stage.set("\(number)") }
        #expect(stage.ends == (0..<99).map { "\($0) replaced" })
        while !stage.loader.loads.contains(where: { $0.request.url.lastPathComponent == "99" }), !Task.isCancelled {
            await drainMainQueue()
        }
        let last = stage.loader.loads.firstIndex { $0.request.url.lastPathComponent == "99" }
        stage.succeed(try #require(last), width: 99)
        await stage.waitForEnds(100)
        #expect(stage.ends.last == "99 loaded local")
        #expect(stage.view.log.last == "display 99")
        while stage.manager.isRunning, !Task.isCancelled { await drainMainQueue() }
    }

    @Test func viewThatDiesCancels() async throws {
        try stage.set("a")
        await stage.loader.waitForLoads(1)
        stage.binding = nil
        #expect(stage.ends == ["a cancelled"])
        while !stage.loader.loads[0].isCancelled, !Task.isCancelled { await drainMainQueue() }
        #expect(stage.manager.runningTaskCount == 0)
    }

    @Test func whatIsCancelledBeforeItStartsIsNeverAskedFor() async throws {
        let starter = TaskStarter()
        let gate = Gate()
        starter.perform { gate.wait() }
        stage.binding?.starter = starter
        try stage.set("a")
        stage.binding?.cancelOperations(in: .image)
        #expect(stage.ends == ["a cancelled"])
        final class Flag { var isSet = false }
        let flag = Flag()
        // Unsafe: set on the main queue only.
        nonisolated(unsafe) let held = flag
        starter.perform { Task { @MainActor in held.isSet = true } }
        gate.open()
        while !flag.isSet, !Task.isCancelled { await drainMainQueue() }
        #expect(stage.loader.loads.isEmpty)
    }

    @Test func priorityReachesALoadThatHasNotStarted() async throws {
        try stage.set("a")
        stage.binding?.setPriority(.low)
        await stage.loader.waitForLoads(1)
        while stage.binding?.task()?.priority != .low, !Task.isCancelled { await drainMainQueue() }
        #expect(stage.binding?.task()?.priority == .low)
    }
}
