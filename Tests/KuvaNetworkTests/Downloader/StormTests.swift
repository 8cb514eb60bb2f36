import Foundation
import KuvaTesting
import Testing

/// Loads that come and go at random, in a process of their own: what they leave behind is theirs.
@Suite("Storm", .timeLimit(.minutes(10)))
struct StormTests {
    @Test func everyLoadEndsOnceAndNothingGrows() async throws {
        let server = try LoopbackServer()
        for number in 0..<5 { server.route("/\(number)", .ok(pattern(1000 * (number + 1)))) }
        let outcome = try await ExternalProgram(built: "KuvaNetworkStorm").run(
            [server.url("/").absoluteString, "10000"],
            environment: ["GLIBC_TUNABLES": "glibc.malloc.tcache_count=0"]
        )
        try #require(outcome.status == 0, "\(outcome.errorText)")
        let numbers = outcome.outputText.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        try #require(numbers.count == 6)
        #expect(numbers[0] == 0, "loads that did not end exactly once")
        #expect(numbers[1] == 0, "loads at the end")
        // Sixteen connections, whichever of them are open at that moment.
        #expect(abs(numbers[3] - numbers[2]) <= 16, "descriptors: \(numbers[2]), \(numbers[3])")
        // Sixteen connections with their buffers, too; a leak of one block a load would be 160 KB and more.
        #expect(numbers[5] - numbers[4] < 1 << 20, "bytes: \(numbers[4]), \(numbers[5])")
    }
}
