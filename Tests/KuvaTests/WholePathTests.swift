import Foundation
import Kuva
import KuvaTesting
import Testing

/// The whole path on real parts, against a server that counts its requests.
@Suite("Whole path", .timeLimit(.minutes(10)))
struct WholePathTests {
    let house: House
    var server: LoopbackServer { house.server }

    init() throws { house = try House() }

    @Test func networkThenMemoryThenDisk() async throws {
        server.route("/a.gif", .ok(redBlueGIF, type: "image/gif"))
        let first = try await house.load("/a.gif").get()
        #expect(first.origin == .network)
        #expect(first.encodedByteCount == redBlueGIF.count)
        #expect(first.image.format == .gif)
        let pixels = [first.image.pixels.rgba(x: 0, y: 0), first.image.pixels.rgba(x: 1, y: 0)]
        #expect(pixels[0].map { [$0.red, $0.green, $0.blue, $0.alpha] } == [255, 0, 0, 255])
        #expect(pixels[1].map { [$0.red, $0.green, $0.blue, $0.alpha] } == [0, 0, 255, 255])
        #expect(try await house.load("/a.gif").get().origin == .memory)
        await house.manager.flush()
        #expect(try await house.load("/a.gif", with: house.restarted()).get().origin == .disk)
        #expect(server.requestCount("/a.gif") == 1)
    }

    @Test func fiftyCallersOneRequest() async throws {
        let gate = Gate()
        server.route("/a.gif", .ok(redBlueGIF).held(by: gate))
        let tasks = (0..<50).map { _ in house.manager.task(for: ImageRequest(url: server.url("/a.gif"))) }
        try await server.until { $0.count("/a.gif") == 1 }
        gate.open()
        for task in tasks { _ = try await task.image }
        #expect(server.requestCount("/a.gif") == 1)
    }

    @Test func cancelOfOneCallerLeavesTheOthersTheirs() async throws {
        let gate = Gate()
        server.route("/a.gif", .ok(redBlueGIF).held(by: gate))
        let first = house.manager.task(for: ImageRequest(url: server.url("/a.gif")))
        let second = house.manager.task(for: ImageRequest(url: server.url("/a.gif")))
        try await server.until { $0.count("/a.gif") == 1 }
        first.cancel()
        gate.open()
        #expect(try await second.image.pixelSize == PixelSize(width: 2, height: 1))
        if case .failure(let error) = first.result { #expect(error.code == .cancelled) } else { Issue.record("no end") }
    }

    @Test func cancelOfTheLastCallerEndsTheTransfer() async throws {
        let gate = Gate()
        server.route("/a.gif", .ok(redBlueGIF).held(by: gate))
        let task = house.manager.task(for: ImageRequest(url: server.url("/a.gif")))
        try await server.until { $0.count("/a.gif") == 1 }
        task.cancel()
        try await server.until { $0.abandonedCount("/a.gif") == 1 }
        gate.open()
        await house.manager.flush()
        #expect(house.entryCount == 0)
    }

    @Test func everyCallerHearsExactlyOnce() async throws {
        for number in 0..<20 { server.route("/\(number).gif", .ok(redBlueGIF)) }
        let ends = Lock<[Int: Int]>([:])
        var tasks: [ImageTask] = []
        for number in 0..<1_000 {
            let request = ImageRequest(url: server.url("/\(number % 20).gif"), cachePolicy: .reload)
            tasks.append(house.manager.load(request) { _ in ends.withLock { $0[number, default: 0] += 1 } })
            if number % 3 == 0 { tasks[number / 2].cancel() }
        }
        for task in tasks { _ = try? await task.image }
        await house.manager.flush()
        let counts = ends.withLock { $0 }
        #expect(counts.count == 1_000)
        #expect(counts.values.allSatisfy { $0 == 1 })
    }

    @Test func aBatchGoesOnPastBadPictures() async throws {
        server.route("/good.gif", .ok(redBlueGIF))
        server.route("/missing.gif", .status(404))
        server.route("/page.gif", .ok(Data("<!DOCTYPE html><html><body>Log in</body></html>".utf8), type: "text/html"))
        server.route("/empty.gif", .ok(Data()))
        server.route("/short.gif", .truncated(redBlueGIF, to: 20))
        server.route("/cut.gif", .ok(redBlueGIF.prefix(30)))
        async let good = house.load("/good.gif")
        #expect(await house.errorCode("/missing.gif") == .httpStatus)
        #expect(await house.errorCode("/page.gif") == .notAnImage)
        #expect(await house.errorCode("/empty.gif") == .emptyBody)
        #expect(await house.errorCode("/short.gif") == .connectionLost)
        #expect(await house.errorCode("/cut.gif") == .truncatedImage)
        #expect(try await good.get().origin == .network)
        await house.manager.flush()
        #expect(house.entryCount == 1)
    }

    @Test func pictureStaysWholeWhenTheCacheCannotBeUsed() async throws {
        try Data().write(to: house.folder)
        server.route("/a.gif", .ok(redBlueGIF))
        let errors = Lock<[ImageError]>([])
        var configuration = ImageManager.Configuration.standard(diskCache: house.disk)
        configuration.onBackgroundError = { error in errors.withLock { $0.append(error) } }
        let manager = ImageManager(configuration: configuration)
        #expect(try await house.load("/a.gif", with: manager).get().image.pixelSize.width == 2)
        await manager.flush()
        let seen = errors.withLock { $0 }
        #expect(seen.map(\.code) == [.cacheUnavailable])
        #expect(seen.first?.stage == .cacheWrite)
        #expect(seen.first?.url == server.url("/a.gif"))
    }

    @Test func localFilesAreReadAndNotCopied() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("kuva-\(UUID().uuidString).gif")
        try redBlueGIF.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let response = try await house.manager.task(for: ImageRequest(url: file)).response
        #expect(response.origin == .local)
        await house.manager.flush()
        #expect(house.entryCount == 0)
    }

    @Test func hostThatDoesNotResolveIsSaidSo() async throws {
        let url = try #require(URL(string: "http://kuva.invalid/a.gif"))
        let error = await #expect(throws: ImageError.self) {
            _ = try await house.manager.image(from: url)
        }
        #expect(error?.code == .hostNotFound)
        #expect(error?.stage == .download)
        #expect(error?.url == url)
        #expect(error?.advice.isEmpty == false)
    }

    @Test func textThatIsNoURLIsSaidSo() {
        for text in ["", "not a url", "http://", "//host/a.gif"] {
            let error = #expect(throws: ImageError.self) { _ = try ImageRequest(string: text) }
            #expect(error?.code == .invalidURL, "\(text)")
            #expect(error?.advice.isEmpty == false)
        }
    }
}
