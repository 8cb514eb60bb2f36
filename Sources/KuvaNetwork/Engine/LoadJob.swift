internal import FoundationEssentials
internal import KuvaCore

/// One piece of work for all callers who want the same: from the first request to the end, retries and other places
/// included. Belongs to the network thread.
final class LoadJob {
    /// A caller.
    struct Subscriber {
        let id: LoadID
        let ticket: LoadTicket
        var priority: Priority
    }

    /// What the job waits for.
    enum Phase {
        /// A request modifier.
        case preparing(Task<Void, Never>?)
        /// The beginning of the body, from disk.
        case reading
        /// Its turn.
        case waiting
        case running(Transfer)
        /// The next attempt.
        case pausing(until: Duration)
        /// The body transformer.
        case transforming
        case ended
    }

    let id: LoadID
    /// What other loads must have in common with it to join; `nil` if none can.
    let key: SharingKey?
    /// Callers in the order in which they came; at least one until the job ends.
    var subscribers: [Subscriber]
    /// The request as it goes out.
    var request: LoadRequest
    var address: WebAddress
    /// The origin that the request, with what is secret in it, is for; not that of another place.
    var homeOrigin: String
    var phase = Phase.waiting
    /// The beginning of the body, of an earlier attempt.
    var partial: PartialBody?
    /// Whether the server has shown that it cannot say anything about what the caller has.
    var ignoresKnown = false
    var retryCount = 0
    /// How many of the other places have been asked.
    var alternativeCount = 0
    /// How each place failed.
    var errors: [ImageError] = []
    var metrics = TransferMetrics()
    /// When it was first asked for.
    let start: Duration

    init(_ id: LoadID, _ ticket: LoadTicket, address: WebAddress, key: SharingKey?) {
        self.id = id
        self.key = key
        self.address = address
        homeOrigin = address.origin
        request = ticket.request
        subscribers = [Subscriber(id: id, ticket: ticket, priority: ticket.request.priority)]
        start = ticket.start
    }

    /// The highest priority of those who still want it.
    var priority: Priority { subscribers.lazy.map(\.priority).max() ?? .veryLow }

    var isEnded: Bool {
        guard case .ended = phase else { return false }
        return true
    }

    var transfer: Transfer? {
        guard case .running(let transfer) = phase else { return nil }
        return transfer
    }

    /// Whether a caller with these header fields gets what the job gets, as far as the answer's head has shown.
    func suits(_ fields: HTTPFields) -> Bool {
        guard let names = transfer?.varyNames, let first = subscribers.first?.ticket.request.headers else {
            return true
        }
        return Self.isSame(fields, first, names)
    }

    /// Callers, taken out, whom the head of the answer shows not to get what the others get.
    func removeUnsuited(_ names: Set<String>) -> [Subscriber] {
        guard let first = subscribers.first?.ticket.request.headers, subscribers.count > 1 else { return [] }
        let unsuited = subscribers.filter { !Self.isSame($0.ticket.request.headers, first, names) }
        subscribers.removeAll { one in unsuited.contains { $0.id == one.id } }
        return unsuited
    }

    private static func isSame(_ lhs: HTTPFields, _ rhs: HTTPFields, _ names: Set<String>) -> Bool {
        names.contains("*") ? lhs == rhs : names.allSatisfy { lhs[$0] == rhs[$0] }
    }
}

/// What two loads must have in common to share a transfer. A long text whose hash is worked out once.
struct SharingKey: Hashable {
    let text: String
    private let textHash: Int

    init(_ text: String) {
        self.text = text
        textHash = text.hashValue
    }

    func hash(into hasher: inout Hasher) { hasher.combine(textHash) }

    static func == (lhs: SharingKey, rhs: SharingKey) -> Bool {
        lhs.textHash == rhs.textHash && lhs.text == rhs.text
    }
}

extension LoadRequest {
    /// Whether the load is of a whole body that may go on where an earlier load of the same address ended.
    var canResume: Bool { method == "GET" && known == nil && (headers.isEmpty || headers["Range"] == nil) }

    /// What two loads must have in common to share a transfer, besides what the answer's `Vary` names; `nil` if this
    /// one shares with none.
    func sharingKey(_ address: WebAddress) -> SharingKey? {
        // The usual load: an address and nothing else.
        if headers.isEmpty, method == "GET", body == nil, known == nil, credential == nil, !handlesCookies,
            requestModifier == nil, responseModifier == nil, bodyTransformer == nil, cachePolicy != .reload,
            alternatives.isEmpty
        {
            return SharingKey(address.text)
        }
        var parts = [address.text, method, handlesCookies ? "cookies" : "", cachePolicy == .reload ? "reload" : ""]
        for name in ["Authorization", "Proxy-Authorization", "Cookie", "Range", "Cache-Control"] {
            parts.append(headers[name] ?? "")
        }
        if let credential { parts.append("\(credential)") }
        if let known {
            parts.append(known.conditions.fields.map { "\($0.name): \($0.value)" }.joined(separator: ", "))
        }
        parts.append(contentsOf: alternatives.map(\.absoluteString))
        // A body is compared whole: it is short where loads are the same at all.
        if let body { parts.append(body.base64EncodedString()) }
        let modifiers = [
            requestModifier.map(\.name), responseModifier.map(\.name), bodyTransformer.map(\.name),
        ]
        for case .some(let name) in modifiers {
            guard let name else { return nil }
            parts.append(name)
        }
        return SharingKey(parts.joined(separator: "\n"))
    }
}
