import Foundation
import KuvaCore
import KuvaNetwork
import KuvaTesting
import Testing

@Suite("Credentials, cookies and redirects", .timeLimit(.minutes(10)))
struct CredentialTests {
    private let server: LoopbackServer
    private let other: LoopbackServer
    private let body = pattern(5000)

    init() throws {
        server = try LoopbackServer()
        other = try LoopbackServer()
    }

    private var host: String { "127.0.0.1:\(server.port)" }

    /// The example of RFC 7617 §2.
    private let aladdin = "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="

    private func guardedRoute(_ accepted: String, challenge: String) {
        let body = body
        server.route("/a") { request in
            request.fields["Authorization"] == accepted
                ? .ok(body) : .status(401, Data("login".utf8), fields: ["WWW-Authenticate": challenge])
        }
    }

    @Test func basicAsTheServerAsks() async throws {
        guardedRoute(aladdin, challenge: "Basic realm=\"x\"")
        let downloader = try makeDownloader {
            $0.credentials[host] = .password(user: "Aladdin", password: "open sesame")
        }
        #expect(try await LoadProbe(downloader, server.url("/a")).result.get().bytes == body)
        #expect(server.requestCount("/a") == 2)
    }

    @Test func basicAtOnceAndPerRequest() async throws {
        guardedRoute(aladdin, challenge: "Basic realm=\"x\"")
        let probe = LoadProbe(try makeDownloader(), server.url("/a")) {
            $0.credential = .basic(user: "Aladdin", password: "open sesame")
        }
        #expect(try await probe.result.get().bytes == body)
        #expect(server.requestCount("/a") == 1)
    }

    @Test func wrongOnesAreAnError() async throws {
        guardedRoute(aladdin, challenge: "Basic realm=\"x\"")
        let downloader = try makeDownloader { $0.credentials["127.0.0.1"] = .password(user: "a", password: "b") }
        #expect(await LoadProbe(downloader, server.url("/a")).error?.httpStatus == 401)
        #expect(await LoadProbe(try makeDownloader(), server.url("/a")).error?.httpStatus == 401)
    }

    @Test func bearer() async throws {
        guardedRoute("Bearer token-1", challenge: "Bearer")
        let downloader = try makeDownloader { $0.credentials[host] = .bearer("token-1") }
        #expect(try await LoadProbe(downloader, server.url("/a")).result.get().bytes == body)
    }

    /// RFC 7616 §3.4, with MD5 as another program works it out.
    @Test(.enabled(if: Tool.isInstalled("/usr/bin/md5sum"))) func digest() async throws {
        server.route(
            "/a",
            .status(401, fields: ["WWW-Authenticate": "Digest realm=\"r\", nonce=\"n\", qop=\"auth\", algorithm=MD5"])
        )
        let downloader = try makeDownloader { $0.credentials[host] = .digest(user: "u", password: "p") }
        _ = await LoadProbe(downloader, server.url("/a")).result
        let sent = try #require(server.ledger.requests.compactMap { $0.fields["Authorization"] }.last)
        func part(_ name: String) throws -> String {
            let start = try #require(sent.range(of: "\(name)=")?.upperBound)
            return String(sent[start...].prefix { $0 != "," }).trimmingCharacters(in: CharacterSet(charactersIn: "\""))
        }
        func md5(_ text: String) async throws -> String {
            let output = try await Tool.run("/usr/bin/md5sum", [], input: Data(text.utf8))
            return String(decoding: output.prefix(32), as: UTF8.self)
        }
        let secrets = (try await md5("u:r:p"), try await md5("GET:/a"))
        let expected = try await md5("\(secrets.0):n:\(try part("nc")):\(try part("cnonce")):auth:\(secrets.1)")
        #expect(sent.hasPrefix("Digest "))
        #expect(try part("username") == "u")
        #expect(try part("response") == expected)
    }

    @Test func secretsStayWithTheirHost() async throws {
        server.route("/a", .redirect(to: other.url("/b").absoluteString))
        server.route("/home", .redirect(to: "/end"))
        for target in [other, server] {
            target.route(target === other ? "/b" : "/end") { request in
                .ok(
                    Data(
                        "\(request.fields["Authorization"] ?? "-") \(request.fields["Cookie"] ?? "-") \(request.fields["X"] ?? "-")"
                            .utf8
                    )
                )
            }
        }
        let downloader = try makeDownloader { $0.credentials[host] = .basic(user: "c", password: "d") }
        func seen(_ path: String, _ change: (inout LoadRequest) -> Void) async throws -> String {
            let probe = LoadProbe(downloader, server.url(path), change: change)
            return String(decoding: try await probe.result.get().bytes, as: UTF8.self)
        }
        let headers: HTTPFields = ["Authorization": "Bearer x", "Cookie": "s=1", "X": "1"]
        #expect(try await seen("/a") { $0.headers = headers } == "- - 1")
        #expect(try await seen("/home") { $0.headers = headers } == "Bearer x s=1 1")
        #expect(try await seen("/a") { $0.credential = .bearer("y") } == "- - -")
        #expect(try await seen("/a") { _ in } == "- - -")
    }

    @Test func httpsToHttpOnlyIfAllowed() async throws {
        let url = try #require(URL(string: "https://a/"))
        var strict = RedirectRuleProbe(url, allowsInsecure: false)
        #expect(strict.follow("http://a/b") == .insecureRedirect)
        var lax = RedirectRuleProbe(url, allowsInsecure: true)
        #expect(lax.follow("http://a/b") == nil)
    }

    /// RFC 9110 §15.4.2 to §15.4.9.
    @Test(arguments: [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")])
    func redirectsOfAPost(_ status: Int, _ method: String) async throws {
        server.route("/a", .redirect(to: "/b", status: status))
        server.route("/b", .ok(body))
        let probe = LoadProbe(try makeDownloader(), server.url("/a")) {
            $0.method = "POST"
            $0.body = Data("x".utf8)
        }
        _ = try await probe.result.get()
        let last = try #require(server.ledger.requests.last)
        #expect(last.method == method)
        #expect(last.body == (method == "POST" ? Data("x".utf8) : Data()))
    }

    @Test func cookiesAreKeptOnlyWhereWanted() async throws {
        server.route("/set", .ok(body, fields: ["Set-Cookie": "a=1; Path=/"]))
        server.route("/get") { .ok(Data(($0.fields["Cookie"] ?? "none").utf8)) }
        let downloader = try makeDownloader()
        func load(_ path: String, _ handles: Bool) async throws -> String {
            let probe = LoadProbe(downloader, server.url(path)) { $0.handlesCookies = handles }
            return String(decoding: try await probe.result.get().bytes, as: UTF8.self)
        }
        _ = try await load("/set", false)
        #expect(try await load("/get", true) == "none")
        _ = try await load("/set", true)
        #expect(try await load("/get", true) == "a=1")
        #expect(try await load("/get", false) == "none")
    }
}
