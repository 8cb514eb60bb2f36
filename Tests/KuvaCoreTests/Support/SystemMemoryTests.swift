import KuvaCore
import Testing

@Suite("System memory")
struct SystemMemoryTests {
    @Test func smallestLimitOfTheGroupsAroundCountsInVersion2() {
        let files = [
            "/proc/self/cgroup": "0::/user.slice/app.scope\n",
            "/sys/fs/cgroup/user.slice/app.scope/memory.max": "max\n",
            "/sys/fs/cgroup/user.slice/memory.max": "536870912\n",
        ]
        #expect(SystemMemory.controlGroupLimit { files[$0] } == 536_870_912)
    }

    @Test func version1IsReadToo() {
        let files = [
            "/proc/self/cgroup": "12:cpu,cpuacct:/\n4:memory:/docker/abc\n0::/\n",
            "/sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes": "268435456\n",
            "/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
        ]
        #expect(SystemMemory.controlGroupLimit { files[$0] } == 268_435_456)
    }

    @Test func noLimitAnywhereIsNone() {
        #expect(SystemMemory.controlGroupLimit { _ in nil } == nil)
        #expect(SystemMemory.controlGroupLimit { $0 == "/proc/self/cgroup" ? "0::/\n" : "max\n" } == nil)
        #expect(SystemMemory.availableByteCount() > 1 << 20)
    }
}
