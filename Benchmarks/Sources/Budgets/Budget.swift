/// Work whose cost is kept to: always the same, on one thread.
struct Budget {
    let name: String
    /// How often it is done in one count.
    let count: Int
    let work: (_ times: Int) throws -> Void

    init(_ name: String, count: Int, _ work: @escaping (_ times: Int) throws -> Void) {
        (self.name, self.count, self.work) = (name, count, work)
    }

    /// Does the work before it is counted, so that nothing is made for the first time.
    func warmUp() throws { try work(max(4, count / 4)) }
}
