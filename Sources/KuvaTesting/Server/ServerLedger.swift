/// What a ``LoopbackServer`` has seen so far.
public struct ServerLedger: Sendable {
    /// Every request, in the order of arrival.
    public internal(set) var requests: [ReceivedRequest] = []
    /// Connections accepted.
    public internal(set) var connectionCount = 0
    /// Requests whose answer has not been sent to its last byte.
    public internal(set) var activeCount = 0
    /// The most that ``activeCount`` has been.
    public internal(set) var peakActiveCount = 0
    /// The paths of requests whose client went away before the answer was sent, in order.
    public internal(set) var abandonedPaths: [String] = []

    /// How many requests named this path, whatever their query.
    public func count(_ path: String) -> Int { requests.count { $0.path == path } }

    /// How many requests for this path the client gave up.
    public func abandonedCount(_ path: String) -> Int { abandonedPaths.count { $0 == path } }

    mutating func arrived(_ request: ReceivedRequest) {
        requests.append(request)
        activeCount += 1
        peakActiveCount = max(peakActiveCount, activeCount)
    }

    mutating func answered() { activeCount -= 1 }

    mutating func abandoned(_ path: String) {
        activeCount -= 1
        abandonedPaths.append(path)
    }
}
