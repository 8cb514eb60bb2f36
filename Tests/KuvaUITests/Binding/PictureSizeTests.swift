import FoundationEssentials
import KuvaCore
import KuvaPipeline
import KuvaTesting
import KuvaUI
import Testing

@MainActor
@Suite("Size of a view's pictures", .serialized, .timeLimit(.minutes(10)))
struct PictureSizeTests {
    let loader = FakeLoader()
    let memory = FakeImageCache()
    let view = RecordingView()
    let binding: ImageBinding
    let target = TargetSize(PixelSize(width: 30, height: 20))

    init() {
        let manager = ImageManager(
            configuration: .init(memoryCache: memory, loaders: [loader], decoders: FakeDecoders())
        )
        binding = ImageBinding(view: view, manager: manager)
    }

    func request(_ name: String) throws -> ImageRequest {
        ImageRequest(url: try #require(URL(string: "http://pictures.test/\(name)")))
    }

    @Test func loadTakesTheViewsSizeAndScale() throws {
        view.size = .target(target, scale: 2)
        binding.setImage(try request("a"))
        #expect(binding.task()?.request.targetSize == target)
        #expect(binding.task()?.request.scale == 2)
    }

    @Test func sizeOfTheRequestOrTheOptionsGoesBeforeTheViews() throws {
        view.size = .unknown
        let other = TargetSize(PixelSize(width: 7, height: 7))
        var request = try request("a")
        binding.setImage(request, options: ViewLoadOptions(targetSize: other))
        #expect(binding.task()?.request.targetSize == other)
        request.targetSize = other
        binding.setImage(request)
        #expect(binding.task()?.request.targetSize == other)
    }

    @Test func loadWaitsUntilTheViewKnowsItsSize() async throws {
        view.size = .unknown
        let result = await withCheckedContinuation { continuation in
            do {
                binding.setImage(try request("a")) { continuation.resume(returning: $0) }
            } catch { Issue.record(error) }
            #expect(loader.loads.isEmpty)
            #expect(binding.task() == nil)
            binding.setPriority(.low)
            binding.pictureSizeIsKnown()
            #expect(loader.loads.isEmpty)
            view.size = .target(target, scale: 1)
            binding.pictureSizeIsKnown()
            binding.pictureSizeIsKnown()
            #expect(binding.task()?.request.priority == .low)
            Task {
                await loader.waitForLoads(1)
                loader.succeed(0, with: FakeDecoders.file(width: 60, height: 40))
            }
        }
        #expect(try result.get().image.pixelSize == target.size)
        #expect(loader.loads.count == 1)
        #expect(view.log == ["display nothing", "loading", "idle", "display 30"])
    }

    @Test func memoryHitAfterWaitingIsShownBeforeTheCallReturns() throws {
        view.size = .unknown
        var request = try request("a")
        var origins: [ImageResponse.Origin] = []
        binding.setImage(request) { result in
            if let origin = try? result.get().origin { origins.append(origin) }
        }
        request.targetSize = target
        var canvas = try PixelBufferPool.shared.canvas(try PixelLayout(size: target.size))
        canvas.clear(rows: 0..<20)
        memory.store(Image(pixels: canvas.freeze()), for: request.cacheKey)
        view.size = .target(target, scale: 1)
        binding.pictureSizeIsKnown()
        #expect(origins == [.memory])
        #expect(view.log == ["display nothing", "loading", "idle", "display 30"])
    }

    @Test func waitingLoadIsReplacedAndCancelledLikeAnyOther() throws {
        view.size = .unknown
        var codes: [String] = []
        for name in ["a", "b"] {
            binding.setImage(try request(name)) { result in
                if case .failure(let error) = result {
                    codes.append("\(error.url?.lastPathComponent ?? "") \(error.code)")
                }
            }
        }
        binding.cancelOperations(in: .image)
        view.size = .natural
        binding.pictureSizeIsKnown()
        #expect(codes == ["a replaced", "b cancelled"])
        #expect(loader.loads.isEmpty)
    }

    /// Shows a picture in the size of the view. Returns how often its load has completed.
    private func showInViewSize() async throws -> () -> Int {
        view.size = .target(target, scale: 1)
        var ends = 0
        binding.setImage(try request("a")) { _ in ends += 1 }
        await loader.waitForLoads(1)
        loader.succeed(0, with: FakeDecoders.file(width: 600, height: 400))
        while ends == 0, !Task.isCancelled { await drainMainQueue() }
        return { ends }
    }

    @Test func refiningLoadsTheShownPictureAgainWithoutAWord() async throws {
        let ends = try await showInViewSize()
        #expect(binding.refinableSize() == target)
        let larger = TargetSize(PixelSize(width: 300, height: 200))
        view.size = .target(larger, scale: 1)
        view.clearLog()
        var idleCount = 0
        binding.onIdle = { idleCount += 1 }
        binding.refine()
        binding.refine()
        #expect(binding.refinableSize() == nil)
        #expect(binding.isLoading)
        await loader.waitForLoads(2)
        loader.succeed(1, with: FakeDecoders.file(width: 600, height: 400))
        while view.log.isEmpty, !Task.isCancelled { await drainMainQueue() }
        #expect(view.log == ["display 300"])
        #expect(!binding.isLoading)
        #expect(idleCount == 1)
        #expect(binding.refinableSize() == larger)
        #expect(loader.loads.count == 2)
        #expect(ends() == 1)
    }

    @Test func refiningThatFailsIsNotTriedAgain() async throws {
        _ = try await showInViewSize()
        view.size = .target(TargetSize(PixelSize(width: 300, height: 200)), scale: 1)
        binding.refine()
        await loader.waitForLoads(2)
        loader.fail(1, with: ImageError(.timedOut, "too slow"))
        while !binding.operations().isEmpty, !Task.isCancelled { await drainMainQueue() }
        binding.refine()
        #expect(loader.loads.count == 2)
        #expect(view.log.last == "display 30")
        if case .loaded = binding.state().phase {} else { Issue.record("the picture is still there") }
    }
}
