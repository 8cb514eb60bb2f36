import FoundationEssentials
import KuvaCore
import KuvaTesting
import Testing

@Suite("Growth", .timeLimit(.minutes(10)))
struct GrowthTests {
    /// A fiftieth of a million by default; KUVA_SOAK_TASKS says how many otherwise.
    @Test func tasksLeaveNothingBehind() async throws {
        let count = ProcessInfo.processInfo.environment["KUVA_SOAK_TASKS"] ?? "20000"
        let outcome = try await ExternalProgram(built: "KuvaPipelineSoak")
            .run([count], environment: ["GLIBC_TUNABLES": "glibc.malloc.tcache_count=0"])
        try #require(outcome.status == 0, "\(outcome.errorText)")
        let numbers = outcome.outputText.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        try #require(numbers.count == 6)
        // What each task leaves behind grows in every quarter: by 160 KB in the short run if it is the smallest block there
        // is. Queues that have been longer than ever before keep their length, in one quarter or another. A sanitizer's
        // run holds -1 each time.
        let growth = (1...3).map { numbers[$0] - numbers[$0 - 1] }
        #expect(growth.contains { $0 < 80 << 10 }, "bytes after each quarter: \(numbers.prefix(4))")
        #expect(numbers[4] == 0)
        #expect(numbers[5] == 0)
    }
}
