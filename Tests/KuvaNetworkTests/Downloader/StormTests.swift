import Foundation
import KuvaTesting
import Testing

/// Loads that come and go at random, in a process of their own: what they leave behind is theirs.
@Suite("Storm", .timeLimit(.minutes(5)))
struct StormTests {
    @Test func everyLoadEndsOnceAndNothingGrows() async throws {
        let server = try LoopbackServer()
        for number in 0..<5 { server.route("/\(number)", .ok(pattern(1000 * (number + 1)))) }
        let outcome = try await ExternalProgram(built: "KuvaNetworkStorm")
            .run([server.url("/").absoluteString, "10000"], environment: ["MALLOC_ARENA_MAX": "1"])
        try #require(outcome.status == 0, "\(outcome.errorText)")
        let numbers = outcome.outputText.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        try #require(numbers.count == 6)
        #expect(numbers[0] == 0, "loads that did not end exactly once")
        #expect(numbers[1] == 0, "loads at the end")
        // Sixteen connections, whichever of them are open at that moment.
        #expect(abs(numbers[3] - numbers[2]) <= 16, "descriptors: \(numbers[2]), \(numbers[3])")
        let growth = numbers[5] - numbers[4]
        #expect(growth < 1 << 20 || ProcessState.isSanitized, "bytes: \(numbers[4]), \(numbers[5])")
    }
}
