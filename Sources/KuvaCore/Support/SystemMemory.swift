internal import FoundationEssentials
internal import Glibc

/// How much memory this process may use.
package enum SystemMemory {
    /// The machine's memory, or the smallest limit of the process's control group and the groups around it, if less.
    package static func availableByteCount() -> Int {
        let (pages, pageSize) = (sysconf(Int32(_SC_PHYS_PAGES)), sysconf(Int32(_SC_PAGESIZE)))
        let physical = pages > 0 && pageSize > 0 ? Int(pages) * Int(pageSize) : 1 << 30
        return min(physical, controlGroupLimit(reading: readText) ?? physical)
    }

    /// The memory limit of the control groups, version 2 and 1 (`cgroups(7)`); `nil` if there is none.
    ///
    /// - Parameter read: gives a file's text, or `nil` if it cannot be read.
    package static func controlGroupLimit(reading read: (String) -> String?) -> Int? {
        guard let groups = read("/proc/self/cgroup") else { return nil }
        var limits: [Int] = []
        for line in groups.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            let controllers = parts[1].split(separator: ",")
            if parts[0] == "0", controllers.isEmpty {
                limits += self.limits(of: parts[2], under: "/sys/fs/cgroup", file: "memory.max", read)
            } else if controllers.contains("memory") {
                limits += self.limits(of: parts[2], under: "/sys/fs/cgroup/memory", file: "memory.limit_in_bytes", read)
            }
        }
        return limits.min()
    }

    private static func limits(
        of group: Substring,
        under root: String,
        file: String,
        _ read: (String) -> String?
    ) -> [Int] {
        var names = group.split(separator: "/")
        var limits: [Int] = []
        while true {
            let path = ([root] + names.map(String.init) + [file]).joined(separator: "/")
            let text = read(path)?.split(whereSeparator: \.isWhitespace).first
            if let limit = text.flatMap({ Int($0) }), limit > 0 { limits.append(limit) }
            guard names.popLast() != nil else { return limits }
        }
    }

    private static func readText(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }
}
