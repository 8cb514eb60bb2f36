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
        try #require(numbers.count == 8)
        #expect(numbers[0] == 0, "loads that did not end exactly once")
        #expect(numbers[1] == 0, "loads at the end")
        // Sixteen connections, whichever of them are open at that moment.
        #expect(abs(numbers[3] - numbers[2]) <= 16, "descriptors: \(numbers[2]), \(numbers[3])")
        // What each load leaves behind grows in every quarter: by 80 KB if it is the smallest block there is. The buffers of
        // connections, which are there or not at that moment, come and go by as much. A sanitizer's run holds -1 each time.
        let growth = (5...7).map { numbers[$0] - numbers[$0 - 1] }
        #expect(growth.contains { $0 < 40 << 10 }, "bytes after each quarter: \(numbers.suffix(4))")
    }
}
