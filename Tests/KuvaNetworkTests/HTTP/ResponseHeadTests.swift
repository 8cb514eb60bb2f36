import KuvaCore
import Testing

@testable import KuvaNetwork

@Suite("Response head")
struct ResponseHeadTests {
    private func read(_ text: String) -> (head: ResponseHead, lines: [ResponseHead.Line]) {
        var head = ResponseHead()
        let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast().map { line in
            (Array(line) + [0x0A]).withUnsafeBytes { head.take($0) }
        }
        return (head, lines)
    }

    @Test func readsStatusAndFields() {
        let (head, lines) = read("HTTP/1.1 200 OK\r\nContent-Length:  12 \r\nX:\r\nSet: a:b\r\n\r\n")
        #expect(head.status == 200)
        #expect(head.fields.fields.map(\.name) == ["Content-Length", "X", "Set"])
        #expect(head.fields.fields.map(\.value) == ["12", "", "a:b"])
        #expect(head.contentLength == 12)
        #expect(lines == [.part, .part, .part, .part, .end])
    }

    @Test func interimAnswersAndTrailersDoNotCount() {
        let (head, lines) = read("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/2 404 \r\nA: 1\r\n\r\nT: 2\r\n")
        #expect(head.status == 404)
        #expect(head.fields.fields.map(\.name) == ["A"])
        #expect(lines == [.part, .part, .part, .part, .part, .end, .trailer])
    }

    /// RFC 9112 §6.3: a transfer coding overrides the length; lengths that agree are one.
    @Test func lengths() {
        func length(_ fields: String) -> ResponseHead { read("HTTP/1.1 200 OK\r\n\(fields)\r\n").head }
        #expect(length("").transferLength == .unknown)
        #expect(length("Content-Length: 5\r\n").transferLength == .bytes(5))
        #expect(length("Content-Length: 5, 5\r\n").transferLength == .bytes(5))
        #expect(length("Content-Length: 5\r\nContent-Length: 6\r\n").transferLength == .unknown)
        #expect(length("Content-Length: -5\r\n").transferLength == .unknown)
        #expect(length("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n").transferLength == .unknown)
        #expect(length("Content-Length: 9223372036854775807\r\n").transferLength == .bytes(.max))
        #expect(length("Content-Length: 9223372036854775808\r\n").transferLength == .uncountable)
        #expect(length("Content-Length: 5\r\nContent-Encoding: gzip\r\n").contentLength == nil)
        #expect(length("Content-Length: 5\r\nContent-Encoding: Identity\r\n").contentLength == 5)
    }

    @Test func nonsenseIsNoField() {
        let (head, _) = read("HTTP/1.1 abc\r\nno colon\r\n folded: x\r\n\r\n")
        #expect(head.status == 0)
        #expect(head.fields.fields.isEmpty)
    }
}
