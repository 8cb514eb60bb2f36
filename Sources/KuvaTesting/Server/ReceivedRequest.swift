public import FoundationEssentials
public import KuvaCore

/// A request as a ``LoopbackServer`` read it.
public struct ReceivedRequest: Sendable {
    /// The method, such as `GET`.
    public var method: String
    /// The target as it was sent: path and query.
    public var target: String
    /// The header fields.
    public var fields: HTTPFields
    /// The body; empty for most.
    public var body: Data
    /// Which connection of the server it came on, counted from 0.
    public var connection: Int

    /// The target without its query.
    public var path: String { String(target.prefix { $0 != "?" }) }

    /// Reads a request head (RFC 9112 §3, §5) up to its empty line; `nil` if it is none.
    init?(head: String, connection: Int) {
        var lines = head.split(separator: "\r\n", omittingEmptySubsequences: true)[...]
        guard let start = lines.popFirst()?.split(separator: " "), start.count == 3 else { return nil }
        method = String(start[0])
        target = String(start[1])
        fields = HTTPFields()
        for line in lines {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            fields.append(name: String(line[..<colon]), value: String(value))
        }
        body = Data()
        self.connection = connection
    }
}
