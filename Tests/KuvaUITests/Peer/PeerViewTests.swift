import FoundationEssentials
import KuvaCore
import KuvaPipeline
import KuvaTesting
import KuvaUI
import Testing

/// What SDWebImage's view tests (`SDWebCacheCategoriesTests`) ask of any view, without a toolkit. Those of buttons,
/// highlighted pictures and map annotations stand with the widgets.
@MainActor
@Suite("SDWebImage's view tests", .serialized, .timeLimit(.minutes(10)))
struct PeerViewTests {
    /// Any object becomes a view that loads with this much.
    private final class Poster: ImageLoadingView {
        private let recorder = RecordingView()
        private let manager: ImageManager
        private(set) lazy var imageBinding = ImageBinding(view: self, manager: manager)

        init(manager: ImageManager) { self.manager = manager }

        func display(_ image: Image?, in slot: ImageSlot) { recorder.display(image, in: slot) }
        func displayedImage(in slot: ImageSlot) -> Image? { recorder.displayedImage(in: slot) }
        func setLoading(_ isLoading: Bool, in slot: ImageSlot) { recorder.setLoading(isLoading, in: slot) }
        func setProgress(_ progress: LoadProgress, in slot: ImageSlot) { recorder.setProgress(progress, in: slot) }
        var log: [String] { recorder.log }
    }

    private let stage = Stage()
    private let view: Poster

    init() { view = Poster(manager: stage.manager) }

    private func url(_ name: String) throws -> URL { try stage.request(name).url }

    private func load(_ name: String, options: ViewLoadOptions = ViewLoadOptions()) throws {
        view.setImage(from: try url(name), options: options) { [stage] in stage.note(name, $0) }
    }

    @Test("testUIImageViewSetImageWithURL: the completion's image is the view's, and the URL is known")
    func setImage() async throws {
        let url = try url("a")
        var image: Image?
        view.setImage(from: url) { image = try? $0.get().image }
        await stage.loader.waitForLoads(1)
        #expect(stage.loader.loads[0].priority == .high)
        stage.succeed(0, width: 3)
        while image == nil, !Task.isCancelled { await drainMainQueue() }
        #expect(image?.pixels === view.displayedImage(in: .image)?.pixels)
        #expect(view.imageURL() == url)
    }

    @Test("testUIViewInternalSetImageWithURL: placeholder first, progress, then the image")
    func placeholderProgressImage() async throws {
        var received: [Int64] = []
        view.setImage(
            from: try url("a"),
            placeholder: try picture(width: 9),
            progress: { received.append($0.receivedByteCount) },
            completion: { [stage] in stage.note("a", $0) }
        )
        await stage.loader.waitForLoads(1)
        stage.loader.progress(0, received: 4, expected: 8)
        stage.succeed(0, width: 3)
        await stage.waitForEnds(1)
        #expect(received == [4])
        #expect(view.log == ["display 9", "loading", "progress 4", "idle", "display 3"])
    }

    @Test(
        "testUIViewCancelWith(out)DelayPlaceholderShouldCallbackOnceBeforeSecond",
        arguments: [ViewLoadOptions.WhileLoading.placeholder, .delayedPlaceholder]
    )
    func firstCallbackOnceBeforeTheSecond(_ whileLoading: ViewLoadOptions.WhileLoading) async throws {
        let options = ViewLoadOptions(whileLoading: whileLoading)
        try load("a", options: options)
        try load("b", options: options)
        await stage.loader.waitForLoads(2)
        stage.succeed(1, width: 2)
        await stage.waitForEnds(2)
        await drainMainQueue()
        #expect(stage.ends == ["a replaced", "b loaded local"])
    }

    @Test("testUIViewAutoCancelImage, testUIViewAvoidAutoCancelImage", arguments: [false, true])
    func autoCancel(keeps: Bool) async throws {
        try load("a")
        await stage.loader.waitForLoads(1)
        try load("b", options: ViewLoadOptions(keepsEarlierLoads: keeps))
        #expect(stage.loader.loads[0].isCancelled == !keeps)
        #expect(stage.ends == (keeps ? [] : ["a replaced"]))
    }

    @Test("testUIViewCancelCurrentImageLoad, …CancelCallbackWithError: the operation goes, its callback has an error")
    func cancel() async throws {
        try load("a")
        #expect(!view.imageBinding.operations().isEmpty)
        view.cancelLoad()
        #expect(view.imageBinding.operations().isEmpty)
        #expect(stage.ends == ["a cancelled"])
        try load("b")
        view.cancelLatestLoad()
        #expect(stage.ends == ["a cancelled", "b cancelled"])
    }

    @Test("testUIViewImageProgressKVOWork: progress can be observed and ends at 1")
    func progressIsObservable() async throws {
        var fractions: [Double?] = []
        view.imageBinding.onStateChange = { _, state in fractions.append(state.progress.fraction) }
        try load("a")
        await stage.loader.waitForLoads(1)
        stage.loader.progress(0, received: 2, expected: 8)
        await drainMainQueue()
        // The answer has another length than was told: whole is whole.
        stage.succeed(0, width: 3)
        await stage.waitForEnds(1)
        #expect(fractions == [nil, 0.25, 1])
        view.imageBinding.onStateChange = nil
        // Without any report of bytes it ends at 1 as well.
        try load("b")
        await stage.loader.waitForLoads(2)
        stage.succeed(1, width: 3)
        await stage.waitForEnds(2)
        #expect(view.imageBinding.state().progress.fraction == 1)
    }

    @Test("testUIViewIndicatorWork: starts with the load, gets its progress, stops with the end or the failure")
    func indicator() async throws {
        try load("a")
        await stage.loader.waitForLoads(1)
        stage.fail(0)
        await stage.waitForEnds(1)
        view.setImage(from: nil)
        #expect(view.log == ["display nothing", "loading", "idle", "display nothing"])
    }

    @Test("testUIViewOperationKeyContextWorks: what prepares requests sees them, and the slot is known by then")
    func slotIsKnownBeforeTheRequestIsPrepared() throws {
        let seen = Lock<[String]>([])
        let manager = ImageManager(
            configuration: .init(
                loaders: [stage.loader],
                decoders: FakeDecoders(),
                prepareRequest: { request in
                    seen.withLock { $0.append(request.url.lastPathComponent) }
                    return request
                }
            )
        )
        let view = Poster(manager: manager)
        view.setImage(from: try url("a"), in: .highlightedImage)
        #expect(seen.withLock { $0 } == ["a"])
        #expect(view.imageBinding.latestSlot == .highlightedImage)
    }

    @Test("testUIViewImageUrlForNilWorks, …ForStringWorks, …ForNSURLWorks")
    func imageURL() throws {
        view.setImage(from: nil)
        #expect(view.imageURL() == nil)
        view.setImage(try ImageRequest(string: "http://pictures.test/a"))
        #expect(view.imageURL()?.absoluteString == "http://pictures.test/a")
        view.setImage(from: try url("b"))
        #expect(view.imageURL()?.absoluteString == "http://pictures.test/b")
        view.setImage(from: nil)
        #expect(view.imageURL() == nil)
    }
}
