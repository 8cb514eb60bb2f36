internal import FoundationEssentials
internal import KuvaCore
internal import Synchronization

/// What two transfers of one URL must have in common to be one.
///
/// Modifiers count by their names; a transfer with a nameless one is like no other.
struct TransferKey: Hashable, Sendable {
    private let method: String
    private let headers: HTTPFields
    private let body: Data?
    private let credential: Credential?
    private let handlesCookies: Bool
    private let cachePolicy: HTTPCachePolicy
    private let alternatives: [URL]
    private let modifiers: [String]
    private let serial: UInt64?

    private static let lastSerial = Atomic<UInt64>(0)

    init(_ transfer: LoadRequest) {
        method = transfer.method
        headers = transfer.headers
        body = transfer.body
        credential = transfer.credential
        handlesCookies = transfer.handlesCookies
        cachePolicy = transfer.cachePolicy
        alternatives = transfer.alternatives
        let named = [
            transfer.requestModifier.map { ("request", $0.name) },
            transfer.responseModifier.map { ("response", $0.name) },
            transfer.bodyTransformer.map { ("body", $0.name) },
        ].compactMap { $0 }
        modifiers = named.map { "\($0.0) \($0.1 ?? "")" }
        let isShareable = named.allSatisfy { $0.1 != nil }
        serial = isShareable ? nil : Self.lastSerial.wrappingAdd(1, ordering: .relaxed).newValue
    }
}
