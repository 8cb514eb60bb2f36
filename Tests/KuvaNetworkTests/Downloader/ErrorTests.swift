import Foundation
import KuvaCore
import KuvaNetwork
import KuvaTesting
import Testing

@Suite("Download errors", .timeLimit(.minutes(10)))
struct ErrorTests {
    private let server: LoopbackServer
    private let downloader: Downloader
    private let body = pattern(100_000)

    init() throws {
        server = try LoopbackServer()
        downloader = try makeDownloader()
    }

    /// Loads what must fail, and checks what every error must have.
    private func failure(_ url: URL, with downloader: Downloader? = nil) async throws -> ImageError {
        let probe = LoadProbe(downloader ?? self.downloader, url)
        let error = try #require(await probe.error)
        #expect(error.stage == .download)
        #expect(error.url == url)
        #expect(!error.message.isEmpty)
        #expect(!error.advice.isEmpty)
        #expect(probe.finishCount == 1)
        return error
    }

    /// curl 7.88 left its handle half set up after a name that did not resolve, and the next load got it.
    @Test func loadAfterAHostThatDoesNotResolveSucceeds() async throws {
        let body = Data("picture".utf8)
        server.route("/a", .ok(body))
        let downloader = try makeDownloader { $0.maximumConcurrentLoads = 1 }
        for _ in 0..<5 {
            let missing = LoadProbe(downloader, try #require(URL(string: "http://kuva.invalid/a")))
            let good = LoadProbe(downloader, server.url("/a"))
            #expect(await missing.error?.code == .hostNotFound)
            #expect(try await good.result.get().bytes == body)
        }
    }

    @Test(arguments: [400, 401, 403, 404, 410, 418, 429, 500, 502, 503, 301, 304, 206])
    func statusesThatAreNoPicture(_ status: Int) async throws {
        server.route("/s", .status(status, body))
        let error = try await failure(server.url("/s"))
        #expect(error.code == .httpStatus)
        #expect(error.httpStatus == status)
        #expect(error.message.contains("\(status)"))
    }

    @Test func aLongErrorPageIsNotReadToItsEnd() async throws {
        let gate = Gate()
        let head = ScriptedResponse.head(500, ["Content-Length": "900000"])
        server.route("/s", ScriptedResponse([.send(head + body), .wait(gate), .send(pattern(800_000))]))
        #expect(try await failure(server.url("/s")).code == .httpStatus)
        try await server.until { $0.abandonedCount("/s") == 1 }
    }

    @Test func emptyBodies() async throws {
        server.route("/zero", .ok(Data()))
        server.route("/chunks", .chunked([]))
        server.route("/open", .withoutLength(Data()))
        server.route("/204", ScriptedResponse([.send(ScriptedResponse.head(204, [:]))]))
        for path in ["/zero", "/chunks", "/open", "/204"] {
            #expect(try await failure(server.url(path)).code == .emptyBody)
        }
    }

    @Test func bodiesThatEndEarlyAreNeverDelivered() async throws {
        server.route("/cut", .truncated(body, to: 99_999))
        server.route("/none", .truncated(body, to: 0))
        server.route("/chunks", .chunked([body], isComplete: false))
        server.route("/silent", ScriptedResponse([.close]))
        server.route("/head", ScriptedResponse([.send(Data("HTTP/1.1 200 OK\r\nContent-Le".utf8)), .close]))
        for path in ["/cut", "/none", "/chunks", "/silent", "/head"] {
            #expect(try await failure(server.url(path)).code == .connectionLost, "\(path)")
        }
        #expect(try await failure(server.url("/cut")).message.contains("99999 of 100000"))
    }

    @Test func aResetInTheMiddle() async throws {
        let gate = Gate()
        server.route("/reset", .reset(body, after: 50_000, at: gate))
        let probe = LoadProbe(downloader, server.url("/reset"))
        try await server.until { $0.count("/reset") == 1 }
        gate.open()
        #expect(await probe.error?.code == .connectionLost)
    }

    @Test func hostsThatAreNotThere() async throws {
        // A label of more than 63 bytes is no name (RFC 1035 §2.3.4), which is found out without asking anybody.
        let label = String(repeating: "a", count: 70)
        let url = try #require(URL(string: "http://\(label).invalid/a.jpg"))
        let error = try await failure(url)
        #expect(error.code == .hostNotFound)
        #expect(error.message.contains(label))
        #expect(error.cause != nil)
    }

    @Test func portsOnWhichNobodyListens() async throws {
        #expect(try await failure(LoopbackServer.urlOfClosedPort("/a")).code == .cannotConnect)
    }

    @Test func serversThatDoNotSpeakTLS() async throws {
        server.greet(with: Data("220 mail.example ESMTP\r\n".utf8))
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/a"))
        #expect(try await failure(url).code == .tlsFailed)
    }

    @Test func serversThatDoNotSpeakHTTP() async throws {
        server.route("/a", ScriptedResponse([.send(Data("220 mail.example ESMTP\r\n".utf8)), .close]))
        #expect(try await failure(server.url("/a")).code == .transferFailed)
    }

    @Test func wronglyCompressedBodies() async throws {
        server.route("/a", .ok(body, fields: ["Content-Encoding": "gzip"]))
        #expect(try await failure(server.url("/a")).code == .transferFailed)
    }

    @Test func addressesWithoutAHost() async throws {
        #expect(try await failure(#require(URL(string: "http:///a.jpg"))).code == .invalidURL)
        #expect(try await failure(#require(URL(string: "https:a.jpg"))).code == .invalidURL)
    }

    @Test func lengthsPastTheLimitAreRefusedBeforeReading() async throws {
        let gate = Gate()
        let downloader = try makeDownloader { $0.maximumBodyByteCount = 1000 }
        for length in ["1001", "9223372036854775807", "99999999999999999999999"] {
            let head = ScriptedResponse.head(200, ["Content-Length": length])
            server.route("/\(length)", ScriptedResponse([.send(head), .wait(gate)]))
            let probe = LoadProbe(downloader, server.url("/\(length)"))
            #expect(await probe.error?.code == .bodyTooLarge)
            #expect(probe.progress.isEmpty)
        }
        server.route("/fits", .ok(body.prefix(1000)))
        #expect(try await LoadProbe(downloader, server.url("/fits")).result.get().bytes.count == 1000)
    }

    @Test func bodiesPastTheLimitAreCutOff() async throws {
        let downloader = try makeDownloader { $0.maximumBodyByteCount = 1000 }
        server.route("/chunks", .chunked([body]))
        server.route("/open", .withoutLength(body))
        for path in ["/chunks", "/open"] {
            #expect(try await failure(server.url(path), with: downloader).code == .bodyTooLarge)
        }
    }

    @Test(.enabled(if: Tool.isInstalled("/usr/bin/gzip"))) func smallBodiesThatUnpackToLargeOnesAreCutOff() async throws
    {
        let packed = try await Tool.run("/usr/bin/gzip", ["-c"], input: Data(repeating: 0, count: 50_000))
        #expect(packed.count < 1000)
        server.route("/bomb", .ok(packed, fields: ["Content-Encoding": "gzip"]))
        let downloader = try makeDownloader { $0.maximumBodyByteCount = 1000 }
        #expect(try await failure(server.url("/bomb"), with: downloader).code == .bodyTooLarge)
    }

    @Test func headersPastTheLimit() async throws {
        let long = String(repeating: "x", count: 2000)
        server.route("/a", .ok(body, fields: ["X-Long": long]))
        let downloader = try makeDownloader { $0.maximumHeaderByteCount = 1500 }
        #expect(try await failure(server.url("/a"), with: downloader).code == .headerTooLarge)
    }

    @Test func theRestOfABatchGoesOn() async throws {
        server.route("/good", .ok(body))
        server.route("/cut", .truncated(body, to: 10))
        let urls = try [
            server.url("/good"), server.url("/cut"), server.url("/404"), LoopbackServer.urlOfClosedPort(),
            #require(URL(string: "http:///nothing")), server.url("/good?2"),
        ]
        let probes = urls.map { LoadProbe(downloader, $0) }
        var codes: [ImageError.Code?] = []
        for probe in probes { codes.append(await probe.error?.code) }
        #expect(codes == [nil, .connectionLost, .httpStatus, .cannotConnect, .invalidURL, nil])
    }
}
