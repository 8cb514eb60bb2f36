import KuvaCore
import KuvaPipeline
import KuvaTesting
import KuvaUI
import Testing

@MainActor
@Suite("Transitions", .serialized, .timeLimit(.minutes(10)))
struct TransitionTests {
    let stage = Stage()

    private final class Witness {
        var log: [String] = []
    }
    private let witness = Witness()

    private func transition(forced: Bool = false) -> ImageTransition {
        // Unsafe: everything here stays on the main actor.
        nonisolated(unsafe) let witness = witness
        return ImageTransition(
            .crossfade,
            appliesToMemoryHits: forced,
            prepare: { witness.log.append("prepare") },
            step: { witness.log.append("step \($0)") },
            completion: { witness.log.append("completion") }
        )
    }

    private func load(_ name: String, width: Int, _ options: ViewLoadOptions) async throws {
        let id = stage.loader.loads.count
        try stage.set(name, options: options)
        await stage.loader.waitForLoads(id + 1)
        stage.succeed(id, width: width)
    }

    @Test func runsForWhatIsNotFromMemoryWithAllItsSteps() async throws {
        try await load("a", width: 3, ViewLoadOptions(transition: transition()))
        await stage.waitForEnds(1)
        #expect(witness.log == ["prepare", "step 1.0", "completion"])
        #expect(stage.view.log == ["display nothing", "loading", "idle", "transition 3"])
    }

    @Test func neverRunsForMemoryHitsUnlessForced() throws {
        try stage.remember("a", width: 3)
        try stage.set("a", options: ViewLoadOptions(transition: transition()))
        #expect(stage.view.log == ["display 3"])
        try stage.bound().show(nil)
        stage.view.clearLog()
        try stage.set("a", options: ViewLoadOptions(transition: transition(forced: true)))
        #expect(stage.view.log == ["transition 3"])
        #expect(stage.ends.count == 2)
    }

    @Test func completionWaitsForTheEndIfWanted() async throws {
        stage.view.holdsTransitions = true
        try await load("a", width: 3, ViewLoadOptions(transition: transition(), waitsForTransition: true))
        while stage.view.runningTransitions.isEmpty, !Task.isCancelled { await drainMainQueue() }
        #expect(stage.ends.isEmpty)
        #expect(stage.view.log.contains("idle"))
        stage.view.endTransitions(isFinished: true)
        #expect(stage.ends == ["a loaded local"])
        #expect(witness.log.last == "completion")
        #expect(try stage.bound().operations().isEmpty)
    }

    @Test func completionDoesNotWaitOtherwise() async throws {
        stage.view.holdsTransitions = true
        try await load("a", width: 3, ViewLoadOptions(transition: transition()))
        await stage.waitForEnds(1)
        #expect(stage.view.runningTransitions.count == 1)
        #expect(!witness.log.contains("completion"))
    }

    @Test func replacingInTheMiddleEndsTheLoadOnceAndDropsTheStaleCompletion() async throws {
        stage.view.holdsTransitions = true
        try await load("a", width: 3, ViewLoadOptions(transition: transition(), waitsForTransition: true))
        while stage.view.runningTransitions.isEmpty, !Task.isCancelled { await drainMainQueue() }
        try stage.set("b")
        #expect(stage.ends == ["a replaced"])
        stage.view.endTransitions(isFinished: true)
        #expect(stage.ends == ["a replaced"])
        #expect(!witness.log.contains("completion"))
    }

    @Test func cancellingInTheMiddleDropsTheStaleCompletion() async throws {
        stage.view.holdsTransitions = true
        try await load("a", width: 3, ViewLoadOptions(transition: transition()))
        await stage.waitForEnds(1)
        try stage.bound().cancelOperations(in: .image)
        stage.view.endTransitions(isFinished: true)
        #expect(!witness.log.contains("completion"))
        #expect(stage.ends == ["a loaded local"])
    }

    @Test func transitionThatTheViewEndsEarlyCompletesTheLoadAllTheSame() async throws {
        stage.view.holdsTransitions = true
        try await load("a", width: 3, ViewLoadOptions(transition: transition(), waitsForTransition: true))
        while stage.view.runningTransitions.isEmpty, !Task.isCancelled { await drainMainQueue() }
        stage.view.display(try picture(width: 8), in: .image)
        #expect(stage.ends == ["a loaded local"])
        #expect(!witness.log.contains("completion"))
    }

    @Test func easingBeginsAndEndsSlowlyAndIsSymmetric() {
        #expect(ImageTransition.eased(-1) == 0)
        #expect(ImageTransition.eased(0) == 0)
        // A cubic: 4 × 0.25³.
        #expect(ImageTransition.eased(0.25) == 0.0625)
        #expect(ImageTransition.eased(0.5) == 0.5)
        #expect(ImageTransition.eased(0.75) == 0.9375)
        #expect(ImageTransition.eased(2) == 1)
    }

    @Test func halfASecondIsTheDefault() {
        #expect(ImageTransition.crossfade.duration == .milliseconds(500))
        #expect(!ImageTransition.crossfade.appliesToMemoryHits)
    }
}
