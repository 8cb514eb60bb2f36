internal import FoundationEssentials
internal import Glibc
internal import KuvaCore

/// One connection of a server: reads requests and takes the steps of their answers, one after the other.
struct Connection {
    let core: ServerCore
    let number: Int

    /// How a response ended.
    private enum Outcome {
        case keepsOpen
        case ends
        /// The client went away, or the server stopped, in the middle.
        case abandoned
    }

    /// Serves until one side ends the connection or the server stops. Blocks the calling thread.
    func serve(_ socket: borrowing Socket) {
        var received = Data()
        guard send(core.greeting, on: socket) else { return }
        while let request = readRequest(from: socket, &received) {
            core.record { $0.arrived(request) }
            switch answer(request, on: socket) {
            case .keepsOpen: continue
            case .ends: return
            case .abandoned:
                core.record { $0.abandoned(request.path) }
                return
            }
        }
    }

    private func readRequest(from socket: borrowing Socket, _ received: inout Data) -> ReceivedRequest? {
        let end = Data("\r\n\r\n".utf8)
        while true {
            if let headEnd = received.firstRange(of: end) {
                let head = String(decoding: received[..<headEnd.lowerBound], as: UTF8.self)
                guard var request = ReceivedRequest(head: head, connection: number) else { return nil }
                let length = request.fields["Content-Length"].flatMap { Int($0) } ?? 0
                while received.endIndex - headEnd.upperBound < length {
                    guard receive(from: socket, &received) else { return nil }
                }
                let bodyEnd = headEnd.upperBound + length
                request.body = Data(received[headEnd.upperBound..<bodyEnd])
                received = Data(received[bodyEnd...])
                return request
            }
            guard receive(from: socket, &received) else { return nil }
        }
    }

    /// Waits for more bytes; `false` at the end of the connection or of the server.
    private func receive(from socket: borrowing Socket, _ received: inout Data) -> Bool {
        while true {
            let readable = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
            guard core.stopping.wait(watching: [readable]) == .ready(0) else { return false }
            guard let bytes = socket.receive() else { continue }
            received += bytes
            return !bytes.isEmpty
        }
    }

    private func answer(_ request: ReceivedRequest, on socket: borrowing Socket) -> Outcome {
        let steps = core.handler(for: request.path)(request).steps
        // The request counts as answered just before its last byte goes, so that a client that sends its next request
        // at once is never counted twice.
        let lastSend = steps.lastIndex { if case .send = $0 { true } else { false } }
        var isAnswered = false
        func markAnswered() {
            if !isAnswered { core.record { $0.answered() } }
            isAnswered = true
        }
        for (index, step) in steps.enumerated() {
            switch step {
            case .send(let bytes) where index == lastSend:
                guard send(bytes.dropLast(), on: socket) else { return .abandoned }
                markAnswered()
                guard send(bytes.suffix(1), on: socket) else { return .ends }
            case .send(let bytes):
                guard send(bytes, on: socket) else { return .abandoned }
            case .wait(let gate):
                guard wait(for: gate, on: socket) else { return isAnswered ? .ends : .abandoned }
            case .close, .reset:
                if case .reset = step { socket.resetOnClose() }
                markAnswered()
                return .ends
            }
        }
        markAnswered()
        return .keepsOpen
    }

    private func send(_ bytes: Data, on socket: borrowing Socket) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            guard let count = socket.sendSome(rest) else { return false }
            rest = rest.dropFirst(count)
            if !rest.isEmpty {
                let writable = pollfd(fd: socket.descriptor, events: Int16(POLLOUT), revents: 0)
                guard core.stopping.wait(watching: [writable]) == .ready(0) else { return false }
            }
        }
        return true
    }

    /// Waits for a gate; `false` if the client went away or the server stopped first.
    private func wait(for gate: Gate, on socket: borrowing Socket) -> Bool {
        var events = Int16(POLLIN)
        while true {
            let client = pollfd(fd: socket.descriptor, events: events, revents: 0)
            switch gate.wait(watching: [client, core.stopping.descriptor]) {
            case .passed: return true
            case .ready(0):
                if socket.isPeerGone() { return false }
                // The next request came early; only a broken connection is of interest now.
                events = 0
            case .ready: return false
            }
        }
    }
}
