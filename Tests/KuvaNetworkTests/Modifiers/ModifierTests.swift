import Foundation
import KuvaCore
import KuvaNetwork
import KuvaTesting
import Testing

private struct Refusal: Error {}

@Suite("Modifiers", .timeLimit(.minutes(10)))
struct ModifierTests {
    private let server: LoopbackServer
    private let body = pattern(5000)

    init() throws {
        server = try LoopbackServer()
        server.route("/a", .ok(body))
    }

    @Test func methodHeadersAndBodyGoOut() async throws {
        let downloader = try makeDownloader()
        let modifier = RequestModifier.setting(method: "POST", headers: ["X-A": "1"], body: Data("hello".utf8))
        let probe = LoadProbe(downloader, server.url("/a")) { $0.requestModifier = modifier }
        #expect(try await probe.result.get().bytes == body)
        let request = try #require(server.ledger.requests.first)
        #expect(request.method == "POST")
        #expect(request.fields["X-A"] == "1")
        #expect(request.body == Data("hello".utf8))
    }

    @Test func theCommonOneComesFirstAndMayWait() async throws {
        let downloader = try makeDownloader {
            $0.requestModifier = RequestModifier { request in
                await Task.yield()
                var request = request
                request.headers["X-Token"] = "common"
                request.headers["X-Common"] = "1"
                return request
            }
        }
        let own = RequestModifier.setting(headers: ["X-Token": "own"])
        _ = try await LoadProbe(downloader, server.url("/a")) { $0.requestModifier = own }.result.get()
        let request = try #require(server.ledger.requests.first)
        #expect(request.fields["X-Token"] == "own")
        #expect(request.fields["X-Common"] == "1")
    }

    @Test func aRequestModifierMayRefuse() async throws {
        let downloader = try makeDownloader()
        func error(_ thrown: any Error) async -> ImageError? {
            await LoadProbe(downloader, server.url("/a")) {
                $0.requestModifier = RequestModifier { _ in throw thrown }
            }.error
        }
        let wrapped = await error(Refusal())
        #expect(wrapped?.code == .requestModifierFailed)
        #expect(wrapped?.cause is Refusal)
        #expect(await error(ImageError(.permissionDenied, "no")).map(\.code) == .permissionDenied)
        let unsendable = LoadProbe(downloader, server.url("/a")) { $0.method = "G ET" }
        #expect(await unsendable.error?.code == .requestModifierFailed)
        #expect(server.ledger.requests.isEmpty)
    }

    @Test func cancellingWhileTheModifierWorksSendsNothing() async throws {
        let downloader = try makeDownloader()
        let stream = AsyncStream<Void>.makeStream()
        let probe = LoadProbe(downloader, server.url("/a")) {
            $0.requestModifier = RequestModifier { request in
                for await _ in stream.stream { break }
                return request
            }
        }
        probe.cancel()
        #expect(await probe.error?.code == .cancelled)
        stream.continuation.finish()
        _ = try await LoadProbe(downloader, server.url("/a")).result.get()
        #expect(server.requestCount("/a") == 1)
    }

    @Test func aResponseModifierChangesStatusAndHeaders() async throws {
        let downloader = try makeDownloader()
        let gone = LoadProbe(downloader, server.url("/a")) {
            $0.responseModifier = .setting(status: 404, headers: ["Content-Type": "text/plain"])
        }
        let error = try #require(await gone.error)
        #expect(error.code == .httpStatus)
        #expect(error.httpStatus == 404)
        #expect(error.contentType == "text/plain")
        server.route("/lost", .status(404, body, fields: ["Content-Type": "image/png"]))
        let found = LoadProbe(downloader, server.url("/lost")) {
            $0.responseModifier = .setting(status: 200, headers: ["X-Injected": "1"])
        }
        let loaded = try await found.result.get()
        #expect(loaded.bytes == body)
        #expect(loaded.response?.fields["X-Injected"] == "1")
        let refused = LoadProbe(downloader, server.url("/a")) {
            $0.responseModifier = ResponseModifier { _ in throw Refusal() }
        }
        #expect(await refused.error?.code == .responseRefused)
        #expect(await refused.error?.cause is Refusal)
    }

    @Test(.enabled(if: Tool.isInstalled("/usr/bin/base64"))) func base64Bodies() async throws {
        let text = try await Tool.run("/usr/bin/base64", [], input: body)
        server.route("/text", .ok(text, type: "text/plain"))
        let downloader = try makeDownloader { $0.bodyTransformer = .base64 }
        let probe = LoadProbe(downloader, server.url("/text"), wantsBytes: true)
        #expect(try await probe.result.get().bytes == body)
        // What comes is not the picture, so nothing of it is shown early.
        #expect(probe.bytes.isEmpty)
        server.route("/not", .ok(Data("!".utf8), type: "text/plain"))
        #expect(await LoadProbe(downloader, server.url("/not")).error?.code == .bodyTransformFailed)
    }

    @Test func aTransformerMayRefuse() async throws {
        let downloader = try makeDownloader()
        let refused = LoadProbe(downloader, server.url("/a")) {
            $0.bodyTransformer = BodyTransformer { _, _ in throw Refusal() }
        }
        #expect(await refused.error?.cause is Refusal)
        let empty = LoadProbe(downloader, server.url("/a")) { $0.bodyTransformer = BodyTransformer { _, _ in Data() } }
        #expect(await empty.error?.code == .bodyTransformFailed)
    }
}
