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
        try #require(numbers.count == 4)
        // The smallest block there is for each task of the second half would be 320 KB in the short run; queues that have
        // once been longer keep their length. A sanitizer's run holds -1 both times.
        #expect(
            numbers[1] - numbers[0] < 80 << 10,
            "\(numbers[0]) bytes after half of the tasks, \(numbers[1]) at the end"
        )
        #expect(numbers[2] == 0)
        #expect(numbers[3] == 0)
    }
}
