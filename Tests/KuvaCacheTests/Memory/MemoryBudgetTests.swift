import KuvaCache
import Testing

@Suite("Memory budget")
struct MemoryBudgetTests {
    @Test func isFifteenPercentUpTo768MiB() {
        #expect(MemoryBudget.bytes(availableMemory: 1_000_000_000) == 150_000_000)
        #expect(MemoryBudget.bytes(availableMemory: 8 << 30) == 805_306_368)
    }
}
