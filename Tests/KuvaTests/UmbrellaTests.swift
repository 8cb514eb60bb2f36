import Foundation
import Kuva
import KuvaTesting
import Testing

/// What the parts that most programs use do together without being told.
@Suite("Standard parts", .timeLimit(.minutes(10)))
struct UmbrellaTests {
    let house: House
    var server: LoopbackServer { house.server }

    init() throws { house = try House() }

    private var kept: [String] {
        let folder = house.folder.appendingPathComponent("transfers").path
        return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { !$0.hasSuffix(".new") }
    }

    /// The picture with a comment behind it (GIF89a §24) that makes it long enough to be worth resuming.
    private var longGIF: Data {
        var bytes = redBlueGIF.dropLast() + [0x21, 0xFE]
        for _ in 0..<800 { bytes += [255] + [UInt8](repeating: 0x20, count: 255) }
        return Data(bytes + [0, 0x3B])
    }

    /// Bytes of a transfer that was broken off are there for the next run of the program.
    @Test func resumingSurvivesTheProgram() async throws {
        let picture = longGIF
        let half = picture.count / 2
        let gate = Gate()
        server.route("/a.gif") { request in
            let fields: HTTPFields = ["ETag": "\"1\"", "Accept-Ranges": "bytes", "Content-Type": "image/gif"]
            guard request.fields["Range"] == "bytes=\(half)-", request.fields["If-Range"] == "\"1\"" else {
                var head = fields
                head["Content-Length"] = "\(picture.count)"
                return ScriptedResponse([.send(ScriptedResponse.head(200, head) + picture.prefix(half)), .wait(gate)])
            }
            var part = fields
            part["Content-Range"] = "bytes \(half)-\(picture.count - 1)/\(picture.count)"
            return .status(206, picture.dropFirst(half), fields: part)
        }
        let first = house.manager.task(for: ImageRequest(url: server.url("/a.gif")))
        for await event in first.events {
            guard case .progress(let progress) = event, progress.receivedByteCount == Int64(half) else { continue }
            first.cancel()
        }
        while kept.isEmpty, !Task.isCancelled { await Task.yield() }
        let later = try await house.load("/a.gif", with: house.restarted()).get()
        #expect(later.origin == .network)
        #expect(later.encodedByteCount == picture.count)
        #expect(server.ledger.requests.map { $0.fields["Range"] } == [nil, "bytes=\(half)-"])
        while !kept.isEmpty, !Task.isCancelled { await Task.yield() }
    }

    /// RFC 2397.
    @Test func dataURLs() async throws {
        let url = try #require(URL(string: "data:image/gif;base64,\(redBlueGIF.base64EncodedString())"))
        let response = try await house.manager.task(for: ImageRequest(url: url)).response
        #expect(response.image.pixelSize == PixelSize(width: 2, height: 1))
        await house.manager.flush()
        #expect(house.entryCount == 0)
    }

    @Test func files() async throws {
        try FileManager.default.createDirectory(at: house.folder, withIntermediateDirectories: true)
        let file = house.folder.appendingPathComponent("a.gif")
        try redBlueGIF.write(to: file)
        let response = try await house.manager.task(for: ImageRequest(url: file)).response
        #expect(response.image.pixelSize == PixelSize(width: 2, height: 1))
        await house.manager.flush()
        #expect(house.entryCount == 0)
    }

    /// The last loader that takes a URL is asked: a program's own one comes before the standard ones.
    @Test func aLoaderOfOnesOwnComesFirst() async throws {
        var configuration = ImageManager.Configuration.standard(diskCache: nil)
        configuration.loaders.append(DataOnly(bytes: redBlueGIF))
        let manager = ImageManager(configuration: configuration)
        let url = try #require(URL(string: "own://anything"))
        #expect(try await manager.task(for: ImageRequest(url: url)).image.pixelSize == PixelSize(width: 2, height: 1))
        let other = ImageManager(configuration: .standard(diskCache: nil))
        await #expect(throws: ImageError.self) { _ = try await other.task(for: ImageRequest(url: url)).image }
    }

    private struct DataOnly: ImageLoading {
        let bytes: Data

        struct Handle: LoadHandle {
            func cancel() {}
            func setPriority(_ priority: Priority) {}
        }

        func canLoad(_ url: URL) -> Bool { url.scheme == "own" }

        func load(_ request: LoadRequest, handler: @escaping @Sendable (LoadEvent) -> Void) -> any LoadHandle {
            handler(.finished(.success(LoadedData(bytes: bytes, isCacheable: false))))
            return Handle()
        }
    }
}
