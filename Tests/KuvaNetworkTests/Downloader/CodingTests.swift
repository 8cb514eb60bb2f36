import Foundation
import KuvaCore
import KuvaNetwork
import KuvaTesting
import Testing

/// Content codings, made by the programs of those who defined them.
@Suite("Content codings", .timeLimit(.minutes(10)))
struct CodingTests {
    static let codings = [
        ("gzip", "/usr/bin/gzip", ["-c"]), ("br", "/usr/bin/brotli", ["-c"]), ("zstd", "/usr/bin/zstd", ["-c", "-q"]),
    ].filter { Tool.isInstalled($0.1) }

    @Test(arguments: codings) func areUndone(_ name: String, _ tool: String, _ arguments: [String]) async throws {
        let server = try LoopbackServer()
        let text = Data(String(repeating: "<svg xmlns='http://www.w3.org/2000/svg'/>", count: 500).utf8)
        let packed = try await Tool.run(tool, arguments, input: text)
        #expect(packed.count < text.count / 4)
        server.route("/a.svg", .ok(packed, type: "image/svg+xml", fields: ["Content-Encoding": name]))
        let loaded = try await LoadProbe(try makeDownloader(), server.url("/a.svg")).result.get()
        #expect(loaded.bytes == text)
        #expect(loaded.metrics?.transferredByteCount == Int64(packed.count))
    }
}
