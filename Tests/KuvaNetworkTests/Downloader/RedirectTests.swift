import Foundation
import KuvaCore
import KuvaNetwork
import KuvaTesting
import Testing

@Suite("Redirects", .timeLimit(.minutes(10)))
struct RedirectTests {
    private let server: LoopbackServer
    private let downloader: Downloader
    private let body = pattern(5000)

    init() throws {
        server = try LoopbackServer()
        downloader = try makeDownloader()
        server.route("/end", .ok(body))
    }

    @Test(arguments: [301, 302, 303, 307, 308]) func areFollowed(_ status: Int) async throws {
        server.route("/a/b", .redirect(to: "../c?x=1", status: status))
        server.route("/c", .redirect(to: server.url("/end").absoluteString, status: status))
        let probe = LoadProbe(downloader, server.url("/a/b"))
        let loaded = try await probe.result.get()
        #expect(loaded.bytes == body)
        #expect(loaded.response?.url == server.url("/end"))
        #expect(loaded.response?.status == 200)
        #expect(loaded.response?.fields["Location"] == nil)
        #expect(server.ledger.requests.map(\.target) == ["/a/b", "/c?x=1", "/end"])
        #expect(probe.progress.map(\.receivedByteCount).last == 5000)
    }

    @Test func circlesAndLongChainsEnd() async throws {
        server.route("/1", .redirect(to: "/2"))
        server.route("/2", .redirect(to: "/1"))
        let circle = try #require(await LoadProbe(downloader, server.url("/1")).error)
        #expect(circle.code == .tooManyRedirects)
        #expect(circle.url == server.url("/1"))
        #expect(server.ledger.requests.count == 2)

        server.route("/chain") { request in
            .redirect(to: "/chain?\((Int(request.target.dropFirst(7)) ?? 0) + 1)")
        }
        let three = try makeDownloader { $0.maximumRedirectCount = 3 }
        #expect(await LoadProbe(three, server.url("/chain")).error?.code == .tooManyRedirects)
        #expect(server.requestCount("/chain") == 4)
        server.route("/d1", .redirect(to: "/d2"))
        server.route("/d2", .redirect(to: "/d3"))
        server.route("/d3", .redirect(to: "/end"))
        #expect(try await LoadProbe(three, server.url("/d1")).result.get().bytes == body)
    }

    @Test func placesOffTheWebAreRefused() async throws {
        server.route("/file", .redirect(to: "file:///etc/passwd"))
        server.route("/ftp", .redirect(to: "ftp://127.0.0.1/a"))
        server.route("/nohost", .redirect(to: "http:///a"))
        #expect(await LoadProbe(downloader, server.url("/file")).error?.code == .unsupportedScheme)
        #expect(await LoadProbe(downloader, server.url("/ftp")).error?.code == .unsupportedScheme)
        #expect(await LoadProbe(downloader, server.url("/nohost")).error?.code == .invalidURL)
    }

    @Test func credentialsStayAtTheirOrigin() async throws {
        let other = try LoopbackServer()
        other.route("/end", .ok(body))
        server.route("/same", .redirect(to: "/end"))
        server.route("/other", .redirect(to: other.url("/end").absoluteString))
        for path in ["/same", "/other"] {
            var components = try #require(URLComponents(url: server.url(path), resolvingAgainstBaseURL: true))
            components.user = "ann"
            components.password = "secret"
            _ = try await LoadProbe(downloader, #require(components.url)).result.get()
        }
        // RFC 7617 §2: "ann:secret" in Base64, by `printf ann:secret | base64`.
        let basic = "Basic YW5uOnNlY3JldA=="
        #expect(server.ledger.requests.map { $0.fields["Authorization"] } == [basic, basic, basic])
        #expect(other.ledger.requests.map { $0.fields["Authorization"] } == [nil])
    }
}
