import CKuvaCountingMalloc
import Dispatch
import FoundationEssentials
import Glibc
import KuvaCore
import KuvaPipeline
import KuvaTesting

// Runs as many tasks of all kinds as it is told and prints the bytes of memory held after each quarter of them.

/// Answers on threads of its own, and forgets: unlike the fake of the tests, which keeps every load.
struct Loader: ImageLoading {
    private let pool = WorkPool(name: "soak", threads: 2)

    func canLoad(_ url: URL) -> Bool { true }

    func load(_ request: LoadRequest, handler: @escaping @Sendable (LoadEvent) -> Void) -> any LoadHandle {
        let handle = Handle(handler)
        if request.url.path().hasSuffix("silent") { return handle }
        pool.submit {
            if request.url.path().hasSuffix("failing") {
                handle.end(.failure(ImageError(.httpStatus, "status 404", httpStatus: 404)))
            } else {
                handle.progress()
                handle.end(.success(LoadedData(bytes: FakeDecoders.file(width: 2, height: 2))))
            }
        }
        return handle
    }

    private final class Handle: LoadHandle {
        private let handler: Lock<(@Sendable (LoadEvent) -> Void)?>

        init(_ handler: @escaping @Sendable (LoadEvent) -> Void) { self.handler = Lock(handler) }

        func progress() {
            handler.withLock { $0 }?(.progress(LoadProgress(receivedByteCount: 9, expectedByteCount: 9)))
        }

        func end(_ result: Result<LoadedData, ImageError>) {
            let handler = handler.withLock { handler in
                defer { handler = nil }
                return handler
            }
            handler?(.finished(result))
        }

        func cancel() { end(.failure(ImageError(.cancelled, "the load was cancelled"))) }
        func setPriority(_ priority: Priority) {}
    }
}

func request(_ name: String, _ policy: CachePolicy = .standard, _ size: Int? = nil) -> ImageRequest? {
    URL(string: "http://pictures.test/\(name)").map { url in
        ImageRequest(
            url: url,
            targetSize: size.map { TargetSize(PixelSize(width: $0, height: $0)) },
            cachePolicy: policy,
            diskContent: size == nil ? .original : .both
        )
    }
}

let manager = ImageManager(
    configuration: .init(
        memoryCache: FakeImageCache(),
        diskCache: FakeDataCache(),
        loaders: [Loader()],
        decoders: FakeDecoders(),
        encoders: FakeEncoders()
    )
)

/// Eight tasks, and one that nobody awaits.
func round(_ number: Int) async {
    let name = "\(number % 100)"
    let hit = request(name).map { manager.task(for: $0) }
    let loaded = request(name, .reload).map { manager.task(for: $0) }
    let joined = request(name, .reload).map { manager.task(for: $0) }
    let small = request(name, .reload, 1).map { manager.task(for: $0) }
    let silent = request("\(name)-silent").map { manager.task(for: $0) }
    let failing = request("\(name)-failing").map { manager.task(for: $0) }
    let refused = request(name, []).map { manager.task(for: $0) }
    let dropped = request(name, .reload, 1).map { manager.task(for: $0) }
    joined?.priority = .high
    joined?.cancel()
    silent?.cancel()
    dropped?.observe { _ in }
    if let events = loaded?.events { for await _ in events {} }
    for task in [hit, loaded, joined, small, silent, failing, refused] { _ = try? await task?.image }
}

let taskCount = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 20_000
let rounds = max(4, taskCount / 8)
/// Stores are done after everything that someone waits for; waiting for them now and then keeps what they hold out of
/// the count.
func run(_ count: Int) async {
    for number in 0..<count {
        await round(number)
        if number % 500 == 499 { await manager.flush() }
    }
    await manager.flush()
}

for _ in 0..<4 {
    await run(rounds / 4)
    print(kuva_counting_malloc_held())
}
print(manager.runningTaskCount, manager.activeFetchCount)
