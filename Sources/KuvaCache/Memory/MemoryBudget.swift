/// How much memory a cache may take if nobody says.
package enum MemoryBudget {
    /// The lesser of 15 % of what there is and 768 MiB.
    package static func bytes(availableMemory: Int) -> Int { min(availableMemory / 100 * 15, 768 << 20) }
}
