import KuvaCore
import KuvaPipeline
import KuvaTesting
import KuvaUI
import Testing

@MainActor
@Suite("Operations of a view", .serialized, .timeLimit(.minutes(10)))
struct OperationTests {
    private final class Work: ViewOperation {
        private(set) var cancelCount = 0
        func cancel() { cancelCount += 1 }
    }

    let stage = Stage()
    private let work = Work()

    @Test func settingCancelsWhatWasThere() throws {
        let binding = try stage.bound()
        binding.setOperation(work, in: .image)
        #expect(work.cancelCount == 0)
        let next = Work()
        binding.setOperation(next, in: .image)
        #expect(work.cancelCount == 1)
        #expect(binding.operations().map { $0 === next } == [true])
    }

    @Test func settingNothingOnlyCancels() throws {
        let binding = try stage.bound()
        binding.setOperation(work, in: .image)
        binding.setOperation(nil, in: .image)
        #expect(work.cancelCount == 1)
        #expect(binding.operations().isEmpty)
    }

    @Test func withoutASlotNothingHappens() throws {
        let binding = try stage.bound()
        binding.setOperation(work, in: .image)
        binding.setOperation(Work(), in: nil)
        binding.cancelOperations(in: nil)
        binding.removeOperations(in: nil)
        #expect(work.cancelCount == 0)
        #expect(binding.operations().count == 1)
    }

    @Test func otherSlotsStay() throws {
        let binding = try stage.bound()
        binding.setOperation(work, in: .highlightedImage)
        binding.cancelOperations(in: .image)
        #expect(work.cancelCount == 0)
        binding.cancelOperations(in: .highlightedImage)
        binding.cancelOperations(in: .highlightedImage)
        #expect(work.cancelCount == 1)
    }

    @Test func removingForgetsWithoutCancelling() async throws {
        let binding = try stage.bound()
        binding.setOperation(work, in: .highlightedImage)
        binding.removeOperations(in: .highlightedImage)
        binding.cancelOperations(in: .highlightedImage)
        #expect(work.cancelCount == 0)
        try stage.set("a")
        await stage.loader.waitForLoads(1)
        binding.removeOperations(in: .image)
        binding.cancelOperations(in: .image)
        #expect(stage.ends.isEmpty)
        stage.succeed(0, width: 1)
        await stage.waitForEnds(1)
        #expect(stage.ends == ["a loaded local"])
        #expect(stage.view.log.last == "display 1")
    }

    @Test func aLoadIsAnOperationWhileItRuns() async throws {
        let binding = try stage.bound()
        try stage.set("a")
        #expect(binding.operations().count == 1)
        binding.operations().first?.cancel()
        #expect(stage.ends == ["a cancelled"])
        #expect(binding.operations().isEmpty)
        try stage.set("b")
        await stage.loader.waitForLoads(2)
        stage.succeed(1, width: 1)
        await stage.waitForEnds(2)
        #expect(binding.operations().isEmpty)
    }

    @Test func aLoadReplacesAnOperationOfTheProgram() throws {
        let binding = try stage.bound()
        binding.setOperation(work, in: .image)
        try stage.set("a")
        #expect(work.cancelCount == 1)
        binding.setOperation(work, in: .image)
        #expect(stage.ends == ["a cancelled"])
    }

    @Test func oneSlotHoldsSeveral() throws {
        let binding = try stage.bound()
        binding.setOperation(work, in: .image)
        try stage.set("a", options: ViewLoadOptions(keepsEarlierLoads: true))
        #expect(binding.operations().count == 2)
        #expect(work.cancelCount == 0)
        binding.cancelOperations(in: .image)
        #expect(work.cancelCount == 1)
        #expect(stage.ends == ["a cancelled"])
    }

    @Test func operationThatCancelsOthersInItsTurnIsHarmless() throws {
        final class Chain: ViewOperation {
            weak var binding: ImageBinding?
            private(set) var cancelCount = 0
            func cancel() {
                cancelCount += 1
                binding?.cancelOperations(in: .image)
            }
        }
        let binding = try stage.bound()
        let chain = Chain()
        chain.binding = binding
        binding.setOperation(chain, in: .image)
        binding.cancelOperations(in: .image)
        #expect(chain.cancelCount == 1)
    }

    @Test func theEndOfTheBindingCancelsEverythingOnce() async throws {
        try stage.bound().setOperation(work, in: .highlightedImage)
        try stage.set("a")
        try stage.bound().removeOperations(in: .image)
        try stage.set("b")
        await stage.loader.waitForLoads(2)
        stage.binding = nil
        #expect(stage.ends == ["a cancelled", "b cancelled"])
        #expect(work.cancelCount == 1)
        await drainMainQueue()
        #expect(stage.loader.loads.map(\.isCancelled) == [true, true])
        #expect(stage.ends.count == 2)
    }

    @Test func tasksOfTheManagerAreOperations() async throws {
        let task = stage.manager.task(for: try stage.request("a"))
        try stage.bound().setOperation(task, in: .image)
        try stage.bound().cancelOperations(in: .image)
        await #expect(throws: ImageError.self) { try await task.image }
    }
}
