import Foundation
import KuvaCore
import KuvaNetwork
import KuvaTesting
import Testing

@Suite(
    "TLS and HTTP/2",
    .enabled(if: SecureServer.isPossible, "needs openssl and nginx"),
    .timeLimit(.minutes(10))
)
struct SecureTests {
    private let body = pattern(30_000)

    private func server() async throws -> SecureServer {
        try await SecureServer(files: ["a.jpg": body])
    }

    @Test func aPrivateAuthorityIsTrustedWhereNamed() async throws {
        let server = try await server()
        let downloader = try makeDownloader { $0.certificateAuthorityFile = server.authority }
        let loaded = try await LoadProbe(downloader, server.url("a.jpg")).result.get()
        #expect(loaded.bytes == body)
        #expect(loaded.metrics?.protocolName == "HTTP/2")
        #expect(loaded.metrics.map { $0.tls > .zero && $0.connect > .zero } == true)
        #expect(loaded.response?.fields["content-type"] == "image/jpeg")
        let local = try await LoadProbe(downloader, server.url("a.jpg", host: "localhost")).result.get()
        #expect(local.bytes == body)
    }

    @Test func otherwiseItIsAnErrorThatSaysSo() async throws {
        let server = try await server()
        let error = try #require(await LoadProbe(try makeDownloader(), server.url("a.jpg")).error)
        #expect(error.code == .tlsFailed)
        #expect(error.message.contains("not trusted"))
        #expect(error.outlook == .willNotHeal)
        let missing = try makeDownloader { $0.certificateAuthorityFile = "/nowhere.pem" }
        #expect(await LoadProbe(missing, server.url("a.jpg")).error?.code == .tlsFailed)
    }

    @Test func uncheckedForOneHostOnly() async throws {
        let server = try await server()
        let downloader = try makeDownloader { $0.hostsWithUncheckedCertificates = ["127.0.0.1:\(server.port)"] }
        #expect(try await LoadProbe(downloader, server.url("a.jpg")).result.get().bytes == body)
        #expect(await LoadProbe(downloader, server.url("a.jpg", host: "localhost")).error?.code == .tlsFailed)
    }

    /// RFC 9113 §5: many at once over one connection.
    @Test func manyStreamsShareAConnection() async throws {
        let server = try await server()
        let downloader = try makeDownloader {
            $0.certificateAuthorityFile = server.authority
            $0.maximumConcurrentLoads = 32
            $0.maximumConcurrentLoadsPerHost = 32
        }
        let probes = (0..<200).map { LoadProbe(downloader, server.url("a.jpg?\($0)")) }
        var newConnections = 0
        for probe in probes {
            let loaded = try await probe.result.get()
            #expect(loaded.bytes == body)
            #expect(loaded.metrics?.protocolName == "HTTP/2")
            if loaded.metrics?.isConnectionReused == false { newConnections += 1 }
        }
        #expect(newConnections == 1)
    }

    @Test func withoutHTTP2() async throws {
        let server = try await server()
        let downloader = try makeDownloader {
            $0.certificateAuthorityFile = server.authority
            $0.allowsHTTP2 = false
        }
        let loaded = try await LoadProbe(downloader, server.url("a.jpg")).result.get()
        #expect(loaded.metrics?.protocolName == "HTTP/1.1")
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/net/if_inet6"))) func overIPv6() async throws {
        let server = try await server()
        let downloader = try makeDownloader {
            $0.certificateAuthorityFile = server.authority
            $0.credentials["::1"] = .basic(user: "a", password: "b")
        }
        #expect(try await LoadProbe(downloader, server.url("a.jpg", host: "[::1]")).result.get().bytes == body)
    }

    /// What nginx itself says about a file serves to ask it again, and to go on in its middle.
    @Test func validatorsOfARealServer() async throws {
        let server = try await server()
        let downloader = try makeDownloader { $0.certificateAuthorityFile = server.authority }
        let first = try await LoadProbe(downloader, server.url("a.jpg")).result.get()
        let again = LoadProbe(downloader, server.url("a.jpg")) { $0.known = first.response }
        #expect(try await again.result.get().isNotModified)
    }

    @Test func cancellingStreamsLeavesTheOthers() async throws {
        let server = try await server()
        let downloader = try makeDownloader { $0.certificateAuthorityFile = server.authority }
        let probes = (0..<100).map { LoadProbe(downloader, server.url("a.jpg?\($0)")) }
        for (number, probe) in probes.enumerated() where number.isMultiple(of: 3) { probe.cancel() }
        for (number, probe) in probes.enumerated() where !number.isMultiple(of: 3) {
            #expect(try await probe.result.get().bytes == body)
        }
        #expect(downloader.currentLoadCount == 0)
    }
}
