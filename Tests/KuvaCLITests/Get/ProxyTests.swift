import Foundation
import Kuva
import KuvaTesting
import Testing

/// Proxies that the environment names: a scripted server stands in for the proxy, and the program is a child, because a
/// process has one environment. The host is one that never resolves (RFC 2606 §2), so that only a proxy can reach it.
@Suite("Proxies", .timeLimit(.minutes(10)), .enabled(if: ExternalProgram(named: "cjpeg") != nil))
struct ProxyTests {
    private let kuva: KuvaRun
    private let proxy: LoopbackServer

    init() throws {
        kuva = try KuvaRun()
        proxy = try LoopbackServer()
    }

    private var address: String { "http://127.0.0.1:\(proxy.port)" }

    private func get(_ url: String, _ environment: [String: String]) async throws -> ExternalProgram.Outcome {
        try await ExternalProgram(built: "kuva").run(
            ["get", url],
            environment: kuva.environment.merging(environment) { $1 },
            folder: kuva.root
        )
    }

    /// RFC 9112 §3.2.2: a proxy is asked by the whole address.
    @Test(arguments: ["http_proxy", "all_proxy", "ALL_PROXY"]) func plainRequests(_ variable: String) async throws {
        let jpeg = try await Fixture.jpeg(width: 40, height: 30)
        proxy.route("http://pictures.invalid/photo.jpg", .ok(jpeg))
        let outcome = try await get("http://pictures.invalid/photo.jpg", [variable: address])
        #expect(outcome.status == 0)
        #expect(try kuva.bytes("photo.jpg") == jpeg)
        let request = try #require(proxy.ledger.requests.first)
        #expect(request.target == "http://pictures.invalid/photo.jpg")
        #expect(request.fields["Host"] == "pictures.invalid")
    }

    /// RFC 9110 §11.7.1; the base64 text of `u:p` is `dTpw`.
    @Test func credentialsOfTheProxy() async throws {
        proxy.route("http://pictures.invalid/photo.jpg", .ok(try await Fixture.jpeg(width: 4, height: 3)))
        let named = "http://u:p@127.0.0.1:\(proxy.port)"
        #expect(try await get("http://pictures.invalid/photo.jpg", ["http_proxy": named]).status == 0)
        #expect(proxy.ledger.requests.first?.fields["Proxy-Authorization"] == "Basic dTpw")
    }

    /// RFC 9110 §9.3.6: https goes through a tunnel, and a proxy that makes none is an error.
    @Test(arguments: ["https_proxy", "HTTPS_PROXY", "all_proxy"]) func tunnels(_ variable: String) async throws {
        proxy.route("pictures.invalid:443", .status(403))
        let outcome = try await get("https://pictures.invalid/photo.jpg", [variable: address])
        #expect(outcome.status != 0)
        #expect(outcome.errorText.contains("proxy"))
        #expect(proxy.ledger.requests.allSatisfy { $0.method == "CONNECT" && $0.target == "pictures.invalid:443" })
        #expect(!proxy.ledger.requests.isEmpty)
    }

    @Test(arguments: ["no_proxy", "NO_PROXY"]) func hostsWithoutProxy(_ variable: String) async throws {
        let server = try LoopbackServer()
        let jpeg = try await Fixture.jpeg(width: 40, height: 30)
        server.route("/photo.jpg", .ok(jpeg))
        let outcome = try await get(
            server.url("/photo.jpg").absoluteString,
            ["http_proxy": address, variable: "example.org,127.0.0.1"]
        )
        #expect(outcome.status == 0)
        #expect(try kuva.bytes("photo.jpg") == jpeg)
        #expect(proxy.ledger.requests.isEmpty)
        #expect(server.ledger.requests.map(\.target) == ["/photo.jpg"])
    }
}
