import FoundationEssentials
import KuvaCore
import KuvaPipeline
import KuvaTesting
import KuvaUI
import Testing

@MainActor
@Suite("Replacing a view's load", .serialized, .timeLimit(.minutes(10)))
struct ReplacingTests {
    let stage = Stage()

    @Test func oldLoadEndsOnceBeforeAnythingOfTheNewOne() async throws {
        try stage.remember("b", width: 2)
        try stage.set("a")
        await stage.loader.waitForLoads(1)
        try stage.set("b")
        #expect(stage.ends == ["a replaced", "b loaded memory"])
        #expect(stage.loader.loads[0].isCancelled)
        stage.succeed(0, width: 1)
        await drainMainQueue()
        #expect(stage.ends.count == 2)
        #expect(stage.view.log == ["display nothing", "loading", "idle", "display 2"])
    }

    @Test func downloadThatTheNewLoadWantsTooGoesOn() async throws {
        try stage.set("a")
        await stage.loader.waitForLoads(1)
        try stage.set("a")
        await stage.loader.waitForLoads(1)
        #expect(!stage.loader.loads[0].isCancelled)
        stage.succeed(0, width: 1)
        await stage.waitForEnds(2)
        #expect(stage.ends == ["a replaced", "a loaded local"])
        #expect(stage.loader.loads.count == 1)
    }

    @Test func loadStartedByTheCompletionOfAReplacedOneWins() async throws {
        let binding = try stage.bound()
        let third = try stage.request("c")
        binding.setImage(try stage.request("a")) { [stage] result in
            stage.note("a", result)
            stage.binding?.setImage(third) { stage.note("c", $0) }
        }
        await stage.loader.waitForLoads(1)
        try stage.set("b")
        #expect(stage.ends == ["a replaced", "b replaced"])
        await stage.loader.waitForLoads(2)
        #expect(stage.loader.loads.map(\.request.url.lastPathComponent) == ["a", "c"])
        stage.succeed(1, width: 3)
        await stage.waitForEnds(3)
        #expect(stage.ends.last == "c loaded local")
        #expect(stage.view.log.last == "display 3")
    }

    @Test func loadStartedInASynchronousCompletionIsNotCancelledByTheOuterCall() async throws {
        try stage.remember("a", width: 1)
        let second = try stage.request("b")
        try stage.bound().setImage(try stage.request("a")) { [stage] result in
            stage.note("a", result)
            stage.binding?.setImage(second) { stage.note("b", $0) }
        }
        await stage.loader.waitForLoads(1)
        #expect(try stage.bound().operations().count == 1)
        stage.succeed(0, width: 2)
        await stage.waitForEnds(2)
        #expect(stage.ends == ["a loaded memory", "b loaded local"])
    }

    @Test func keptLoadShowsItsPictureUntilALaterOneHas() async throws {
        let options = ViewLoadOptions(keepsEarlierLoads: true)
        for name in ["a", "b", "c"] { try stage.set(name, options: options) }
        await stage.loader.waitForLoads(3)
        #expect(try stage.bound().operations().count == 3)
        for (id, width) in [(1, 2), (0, 1), (2, 3)] {
            stage.succeed(id, width: width)
            await stage.waitForEnds(stage.ends.count + 1)
        }
        #expect(stage.ends == ["b loaded local", "a loaded local", "c loaded local"])
        let displays = stage.view.log.filter { $0.hasPrefix("display ") && $0 != "display nothing" }
        #expect(displays == ["display 2", "display 3"])
        #expect(try stage.bound().operations().isEmpty)
    }

    @Test func slotsDoNotDisturbEachOther() async throws {
        try stage.set("a")
        try stage.set("b", in: .highlightedImage)
        await stage.loader.waitForLoads(2)
        stage.succeed(0, width: 1)
        stage.succeed(1, width: 2)
        await stage.waitForEnds(2)
        #expect(stage.view.displayedImage(in: .image)?.pixelSize.width == 1)
        #expect(stage.view.displayedImage(in: .highlightedImage)?.pixelSize.width == 2)
        #expect(try stage.bound().latestSlot == .highlightedImage)
        let binding = try stage.bound()
        #expect(binding.state().url?.lastPathComponent == "a")
        #expect(binding.state(in: .highlightedImage).url?.lastPathComponent == "b")
    }

    @Test func whatIsShownAlreadyCostsNothing() async throws {
        try stage.set("a")
        await stage.loader.waitForLoads(1)
        stage.succeed(0, width: 1)
        await stage.waitForEnds(1)
        stage.memory.removeAll()
        stage.view.clearLog()
        try stage.set("a", placeholder: try picture(width: 9))
        #expect(stage.ends.last == "a loaded memory")
        #expect(stage.view.log.isEmpty)
        #expect(stage.loader.loads.count == 1)
        // Once the program has shown something else, it is a load as any other.
        try stage.bound().show(try picture(width: 5))
        try stage.set("a")
        await stage.loader.waitForLoads(2)
    }

    @Test func programsOwnPictureEndsTheLoadsAndForgottenOnesComeTooLate() async throws {
        try stage.set("a")
        await stage.loader.waitForLoads(1)
        let binding = try stage.bound()
        binding.removeOperations(in: .image)
        try stage.set("b")
        await stage.loader.waitForLoads(2)
        binding.show(try picture(width: 7))
        #expect(stage.ends == ["b cancelled"])
        stage.succeed(0, width: 1)
        await stage.waitForEnds(2)
        #expect(stage.ends.last == "a loaded local")
        #expect(stage.view.log.last { $0.hasPrefix("display") } == "display 7")
    }
}
