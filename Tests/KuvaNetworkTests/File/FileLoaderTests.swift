import Foundation
import Glibc
import KuvaCore
import KuvaNetwork
import KuvaTesting
import Testing

@Suite("File loader", .timeLimit(.minutes(10)))
struct FileLoaderTests {
    private let folder: Folder
    private let loader = FileLoader()

    /// A folder that goes with the last reference.
    private final class Folder: Sendable {
        let url = URL.temporaryDirectory.appending(path: "kuva-files-\(UUID().uuidString)", directoryHint: .isDirectory)
        init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
        deinit { try? FileManager.default.removeItem(at: url) }
    }

    init() throws { folder = try Folder() }

    private func file(_ name: String, _ bytes: Data) throws -> URL {
        let url = folder.url.appending(path: name)
        try bytes.write(to: url)
        return url
    }

    @Test func deliversFilesThatNoCacheNeeds() async throws {
        for (name, size) in [("one", 1), ("päl æ#%.jpg", 700_000), ("step", 256 << 10)] {
            let url = try file(name, pattern(size))
            let probe = LoadProbe(loader, url)
            let loaded = try await probe.result.get()
            #expect(loaded.bytes == pattern(size))
            #expect(!loaded.isCacheable)
            #expect(loaded.response == nil)
            #expect(probe.progress.last == LoadProgress(receivedByteCount: Int64(size), expectedByteCount: Int64(size)))
            #expect(probe.finishCount == 1)
        }
    }

    @Test func takesOnlyFiles() throws {
        #expect(loader.canLoad(folder.url))
        #expect(loader.canLoad(try #require(URL(string: "FILE:///a"))))
        #expect(!loader.canLoad(try #require(URL(string: "https://a/b"))))
    }

    private func code(_ url: URL, _ loader: FileLoader? = nil) async throws -> ImageError.Code {
        let error = try #require(await LoadProbe(loader ?? self.loader, url).error)
        #expect(error.stage == .download)
        #expect(error.url == url)
        #expect(!error.advice.isEmpty)
        return error.code
    }

    @Test func whatIsNoPictureFile() async throws {
        #expect(try await code(folder.url.appending(path: "nothing")) == .fileNotFound)
        #expect(try await code(file("plain", pattern(3)).appending(path: "below")) == .fileNotFound)
        #expect(try await code(folder.url) == .notAnImage)
        #expect(try await code(file("empty", Data())) == .emptyBody)
        #expect(try await code(#require(URL(string: "file://elsewhere/a.jpg"))) == .invalidURL)
        #expect(try await code(#require(URL(string: "file:///a%00b"))) == .invalidURL)
        #expect(try await code(#require(URL(string: "file:///dev/zero"))) == .notAnImage)
        let pipe = folder.url.appending(path: "pipe")
        #expect(mkfifo(pipe.path(percentEncoded: false), 0o600) == 0)
        #expect(try await code(pipe) == .notAnImage)
    }

    @Test(.enabled(if: geteuid() != 0, "root may read everything")) func filesWithoutRights() async throws {
        let url = try file("secret", pattern(3))
        #expect(chmod(url.path(percentEncoded: false), 0) == 0)
        #expect(try await code(url) == .permissionDenied)
    }

    @Test func filesPastTheLimit() async throws {
        var configuration = FileLoader.Configuration()
        configuration.maximumByteCount = 1000
        let loader = try FileLoader(configuration: configuration)
        #expect(try await code(file("long", pattern(1001)), loader) == .bodyTooLarge)
        #expect(try await LoadProbe(loader, file("fits", pattern(1000))).result.get().bytes.count == 1000)
    }

    @Test func limitsBelowOneAreErrors() {
        for change: (inout FileLoader.Configuration) -> Void in [
            { $0.maximumConcurrentLoads = 0 }, { $0.maximumByteCount = -1 },
        ] {
            var configuration = FileLoader.Configuration()
            change(&configuration)
            let error = #expect(throws: ImageError.self) { _ = try FileLoader(configuration: configuration) }
            #expect(error?.code == .invalidConfiguration)
        }
    }

    @Test func cancelling() async throws {
        var configuration = FileLoader.Configuration()
        configuration.maximumConcurrentLoads = 1
        let loader = try FileLoader(configuration: configuration)
        let url = try file("a", pattern(1_000_000))
        // The first progress is reported in the middle of the file.
        let running = LoadProbe(loader, url, cancelsAtProgress: true)
        #expect(await running.error?.code == .cancelled)
        #expect(running.progress.count == 1)

        // One load keeps the only thread while another is cancelled.
        let gate = Gate()
        let (events, continuation) = AsyncStream.makeStream(of: LoadEvent.self)
        _ = loader.load(LoadRequest(url: url)) { event in
            continuation.yield(event)
            gate.wait()
        }
        var held = events.makeAsyncIterator()
        _ = await held.next()
        let waiting = LoadProbe(loader, url)
        waiting.cancel()
        waiting.cancel()
        #expect(!waiting.isFinished)
        gate.open()
        #expect(await waiting.error?.code == .cancelled)
        #expect(waiting.finishCount == 1)
        #expect(waiting.progress.isEmpty)
        while let event = await held.next() {
            guard case .finished(let result) = event else { continue }
            #expect(try result.get().bytes.count == 1_000_000)
            break
        }
    }
}
