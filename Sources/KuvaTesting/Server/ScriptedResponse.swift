public import FoundationEssentials
public import KuvaCore

/// What a ``LoopbackServer`` does when a request comes: a list of steps on the wire, so that every way of answering
/// wrongly can be written down.
public struct ScriptedResponse: Sendable {
    /// One step on the wire.
    public enum Step: Sendable {
        /// Sends bytes as they are.
        case send(Data)
        /// Waits until the gate lets it pass, the client goes away or the server stops.
        case wait(Gate)
        /// Ends the connection in order.
        case close
        /// Breaks the connection, so that the client sees a reset.
        case reset
    }

    /// The steps, in order. The connection stays open for the next request unless a step ends it.
    public var steps: [Step]

    /// Makes a response from steps.
    public init(_ steps: [Step]) { self.steps = steps }

    /// The same response, which starts only when the gate lets it pass.
    public func held(by gate: Gate) -> ScriptedResponse { ScriptedResponse([.wait(gate)] + steps) }

    /// The same response, whose connection is closed after it.
    public func closing() -> ScriptedResponse { ScriptedResponse(steps + [.close]) }
}

extension ScriptedResponse {
    /// A status line and header fields, as they go over the wire, with the empty line at the end.
    public static func head(_ status: Int, _ fields: HTTPFields) -> Data {
        var text = "HTTP/1.1 \(status) \(reason(status))\r\n"
        for field in fields.fields { text += "\(field.name): \(field.value)\r\n" }
        return Data((text + "\r\n").utf8)
    }

    /// A whole, truthful answer.
    public static func status(_ status: Int, _ body: Data = Data(), fields: HTTPFields = [:]) -> ScriptedResponse {
        var fields = fields
        fields["Content-Length"] = "\(body.count)"
        return ScriptedResponse([.send(head(status, fields) + body)])
    }

    /// A whole body with its type and its right length.
    public static func ok(_ body: Data, type: String = "image/jpeg", fields: HTTPFields = [:]) -> ScriptedResponse {
        .status(200, body, fields: typed(fields, type))
    }

    /// A redirect to an absolute or relative reference.
    public static func redirect(to location: String, status: Int = 302) -> ScriptedResponse {
        .status(status, fields: ["Location": location])
    }

    /// A body in chunks (RFC 9112 §7.1), complete unless told otherwise; one that is not ends in a closed connection.
    public static func chunked(
        _ chunks: [Data],
        type: String = "image/jpeg",
        isComplete: Bool = true
    ) -> ScriptedResponse {
        var bytes = head(200, ["Content-Type": type, "Transfer-Encoding": "chunked"])
        for chunk in chunks where !chunk.isEmpty { bytes += framed(chunk) }
        if isComplete { bytes += Data("0\r\n\r\n".utf8) }
        return ScriptedResponse([.send(bytes)] + (isComplete ? [] : [.close]))
    }

    /// A body whose end is the end of the connection (RFC 9112 §6.3, rule 8).
    public static func withoutLength(_ body: Data, type: String = "image/jpeg") -> ScriptedResponse {
        ScriptedResponse([.send(head(200, ["Content-Type": type, "Connection": "close"]) + body), .close])
    }

    /// An answer that says it is `length` bytes long and sends `body`, whatever its length, then closes.
    public static func claiming(length: Int64, _ body: Data, type: String = "image/jpeg") -> ScriptedResponse {
        ScriptedResponse([.send(head(200, ["Content-Type": type, "Content-Length": "\(length)"]) + body), .close])
    }

    /// An answer that says its right length, sends the first `count` bytes and closes.
    public static func truncated(_ body: Data, to count: Int) -> ScriptedResponse {
        .claiming(length: Int64(body.count), body.prefix(count))
    }

    /// An answer that says its right length, sends the first `count` bytes and breaks the connection once the gate
    /// lets it; a reset can overtake bytes on their way, so open the gate when they have come.
    public static func reset(_ body: Data, after count: Int, at gate: Gate) -> ScriptedResponse {
        var response = truncated(body, to: count)
        response.steps.removeLast()
        return ScriptedResponse(response.steps + [.wait(gate), .reset])
    }

    /// A body in pieces, each of which waits for the gate; the header goes at once.
    public static func dripping(_ pieces: [Data], through gate: Gate, type: String = "image/jpeg") -> ScriptedResponse {
        let length = pieces.reduce(0) { $0 + $1.count }
        var steps: [Step] = [.send(head(200, ["Content-Type": type, "Content-Length": "\(length)"]))]
        for piece in pieces { steps += [.wait(gate), .send(piece)] }
        return ScriptedResponse(steps)
    }

    /// One chunk of a chunked body, as it goes over the wire.
    public static func framed(_ chunk: Data) -> Data {
        Data("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Data("\r\n".utf8)
    }

    private static func typed(_ fields: HTTPFields, _ type: String) -> HTTPFields {
        var fields = fields
        if fields["Content-Type"] == nil { fields["Content-Type"] = type }
        return fields
    }

    private static func reason(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 206: "Partial Content"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 303: "See Other"
        case 304: "Not Modified"
        case 307: "Temporary Redirect"
        case 308: "Permanent Redirect"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 410: "Gone"
        case 416: "Range Not Satisfiable"
        case 429: "Too Many Requests"
        case 500: "Internal Server Error"
        case 503: "Service Unavailable"
        default: "Status"
        }
    }
}
