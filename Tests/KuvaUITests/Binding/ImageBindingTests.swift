import FoundationEssentials
import KuvaCore
import KuvaPipeline
import KuvaTesting
import KuvaUI
import Testing

@MainActor
@Suite("Image binding", .serialized, .timeLimit(.minutes(10)))
struct ImageBindingTests {
    let loader = FakeLoader()
    let memory = FakeImageCache()
    let view = RecordingView()
    let binding: ImageBinding

    init() {
        let manager = ImageManager(
            configuration: .init(memoryCache: memory, loaders: [loader], decoders: FakeDecoders())
        )
        binding = ImageBinding(view: view, manager: manager)
    }

    func request(_ name: String) throws -> ImageRequest {
        ImageRequest(url: try #require(URL(string: "http://pictures.test/\(name)")))
    }

    /// Starts a load and returns how it ended, `act` being done in between.
    func load(_ request: ImageRequest, placeholder: Image? = nil, act: () async -> Void) async
        -> Result<ImageResponse, ImageError>
    {
        var continuation: CheckedContinuation<Result<ImageResponse, ImageError>, Never>?
        var early: Result<ImageResponse, ImageError>?
        binding.setImage(request, placeholder: placeholder) { result in
            if let continuation { continuation.resume(returning: result) } else { early = result }
        }
        await act()
        return await withCheckedContinuation { waiting in
            if let early { waiting.resume(returning: early) } else { continuation = waiting }
        }
    }

    @Test func placeholderThenIndicatorThenPicture() async throws {
        let placeholder = try picture(width: 9)
        _ = try await load(request("a"), placeholder: placeholder) {
            await loader.waitForLoads(1)
            loader.progress(0, received: 1, expected: 2)
            loader.succeed(0, with: FakeDecoders.file(width: 3, height: 1))
        }.get()
        #expect(view.log == ["display 9", "loading", "progress 1", "idle", "display 3"])
    }

    @Test func memoryHitIsShownBeforeTheCallReturnsWithoutPlaceholder() throws {
        let request = try request("a")
        memory.store(try picture(width: 5), for: request.cacheKey)
        var origin: ImageResponse.Origin?
        binding.setImage(request, placeholder: try picture(width: 9)) { origin = try? $0.get().origin }
        #expect(origin == .memory)
        #expect(view.log == ["display 5"])
    }

    @Test func newPictureReplacesTheOldLoadBeforeItsOwnCallbacks() async throws {
        var order: [String] = []
        let first = try request("a")
        binding.setImage(first) { result in
            if case .failure(let error) = result { order.append("first \(error.code)") }
        }
        await loader.waitForLoads(1)
        _ = try await load(request("b")) {
            order.append("second started")
            await loader.waitForLoads(2)
            loader.succeed(0, with: FakeDecoders.file(width: 1, height: 1))
            loader.succeed(1, with: FakeDecoders.file(width: 2, height: 1))
        }.get()
        #expect(order == ["first replaced", "second started"])
        #expect(loader.loads[0].isCancelled)
        #expect(view.log.filter { $0.hasPrefix("display") }.last == "display 2")
        #expect(!view.log.contains("display 1"))
    }

    @Test func lateAnswerOfAnOldLoadNeverReachesTheView() async throws {
        let keeper = try request("a")
        let shared = FakeDecoders.file(width: 1, height: 1)
        let manager = ImageManager(configuration: .init(loaders: [loader], decoders: FakeDecoders()))
        let other = ImageBinding(view: view, manager: manager)
        // A second caller keeps the download of the old picture alive.
        let alive = manager.task(for: keeper)
        other.setImage(keeper)
        await loader.waitForLoads(1)
        other.setImage(nil)
        loader.succeed(0, with: shared)
        _ = try await alive.image
        await drainMainQueue()
        #expect(!view.log.contains("display 1"))
    }

    @Test func failureLeavesThePlaceholderAndCompletesOnce() async throws {
        let result = try await load(request("a"), placeholder: picture(width: 9)) {
            await loader.waitForLoads(1)
            loader.fail(0, with: ImageError(.timedOut, "too slow"))
        }
        #expect(throws: ImageError.self) { try result.get() }
        #expect(view.log == ["display 9", "loading", "idle"])
    }

    @Test func nilShowsThePlaceholderAndFails() throws {
        var code: ImageError.Code?
        binding.setImage(nil, placeholder: try picture(width: 9)) { result in
            if case .failure(let error) = result { code = error.code }
        }
        #expect(code == .invalidURL)
        #expect(view.log == ["display 9"])
    }

    @Test func cancelCompletesOnce() async throws {
        var codes: [ImageError.Code] = []
        binding.setImage(try request("a")) { result in
            if case .failure(let error) = result { codes.append(error.code) }
        }
        await loader.waitForLoads(1)
        binding.cancelOperations(in: .image)
        binding.cancelOperations(in: .image)
        await drainMainQueue()
        #expect(codes == [.cancelled])
        #expect(view.log == ["display nothing", "loading", "idle"])
    }

    @Test func deadViewCancelsItsLoadAndCompletesOnce() async throws {
        var codes: [ImageError.Code] = []
        var dying: ImageBinding? = ImageBinding(
            view: view,
            manager: ImageManager(configuration: .init(loaders: [loader], decoders: FakeDecoders()))
        )
        dying?.setImage(try request("a")) { result in
            if case .failure(let error) = result { codes.append(error.code) }
        }
        await loader.waitForLoads(1)
        dying = nil
        await drainMainQueue()
        #expect(codes == [.cancelled])
        #expect(loader.loads[0].isCancelled)
    }
}
