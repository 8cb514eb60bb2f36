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
            .run([count], environment: ["MALLOC_ARENA_MAX": "1"])
        try #require(outcome.status == 0, "\(outcome.errorText)")
        let numbers = outcome.outputText.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        try #require(numbers.count == 4)
        // Sixteen bytes for each task of the second half, the smallest block there is, would be 160 KB in the short run; what
        // the system rounds to and keeps by chance is up to half of that.
        #expect(
            numbers[1] - numbers[0] < 160 << 10 || ProcessState.isSanitized,
            "\(numbers[0]) bytes after half of the tasks, \(numbers[1]) at the end"
        )
        #expect(numbers[2] == 0)
        #expect(numbers[3] == 0)
    }
}
