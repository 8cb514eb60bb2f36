import Foundation
import KuvaCore
import Testing

@testable import KuvaNetwork

@Suite("Exchange")
struct ExchangeTests {
    private let time = Date(timeIntervalSince1970: 0)

    private func exchange(limit: Int64 = 1000) throws -> Exchange {
        let rules = Exchange.Rules(maximumBodyByteCount: limit, maximumHeaderByteCount: 500, maximumRedirectCount: 5)
        return Exchange(url: try #require(URL(string: "http://a/x")), rules: rules, at: time)
    }

    /// Feeds a head; returns whether the exchange wants to go on.
    @discardableResult
    private func feed(_ text: String, to exchange: inout Exchange) -> Bool {
        (text + "\n").split(separator: "\n").allSatisfy { line in
            Array("\(line)\r\n".utf8).withUnsafeBytes { exchange.receive(headerLine: $0) { time } }
        } && Array("\r\n".utf8).withUnsafeBytes { exchange.receive(headerLine: $0) { time } }
    }

    private func code(_ ending: Exchange.Ending) -> ImageError.Code? {
        guard case .failed(let error) = ending else { return nil }
        return error.code
    }

    @Test func aWholeBody() throws {
        var exchange = try exchange()
        #expect(feed("HTTP/1.1 200 OK\nContent-Length: 5", to: &exchange))
        #expect(exchange.expectedByteCount == 5)
        #expect(exchange.receive(bodyByteCount: 3) == .keep)
        #expect(exchange.receive(bodyByteCount: 2) == .keep)
        guard case .finished(let response) = exchange.ended(nil) else {
            Issue.record("not finished")
            return
        }
        #expect(response.status == 200)
        #expect(code(exchange.ended(CurlFailure(.connectionLost))) == .connectionLost)
    }

    @Test func limitsHoldToTheByte() throws {
        var exchange = try exchange(limit: 10)
        #expect(feed("HTTP/1.1 200 OK", to: &exchange))
        #expect(exchange.receive(bodyByteCount: 10) == .keep)
        #expect(exchange.receive(bodyByteCount: 1) == .stop)
        #expect(exchange.receivedByteCount == 10)
        #expect(code(exchange.ended(CurlFailure(.stopped))) == .bodyTooLarge)

        var promised = try self.exchange(limit: 10)
        #expect(!feed("HTTP/1.1 200 OK\nContent-Length: 11", to: &promised))
        #expect(code(promised.ended(CurlFailure(.stopped))) == .bodyTooLarge)
    }

    @Test func unwantedBodiesAreDroppedAndThenStopped() throws {
        var exchange = try exchange()
        #expect(feed("HTTP/1.1 404 Not Found", to: &exchange))
        #expect(exchange.receive(bodyByteCount: 65_536) == .drop)
        #expect(exchange.receive(bodyByteCount: 1) == .stop)
        #expect(exchange.receivedByteCount == 0)
        #expect(code(exchange.ended(CurlFailure(.stopped))) == .httpStatus)
    }

    @Test func redirectsStartAFreshAnswer() throws {
        var exchange = try exchange()
        #expect(feed("HTTP/1.1 302 Found\nLocation: /y", to: &exchange))
        #expect(exchange.receive(bodyByteCount: 100) == .drop)
        guard case .redirect(let url) = exchange.ended(nil) else {
            Issue.record("not a redirect")
            return
        }
        exchange.redirected(to: url, at: time)
        #expect(exchange.url.absoluteString == "http://a/y")
        #expect(code(exchange.ended(nil)) == .connectionLost)
        #expect(feed("HTTP/1.1 200 OK", to: &exchange))
        #expect(exchange.receive(bodyByteCount: 1) == .keep)
        guard case .finished(let response) = exchange.ended(nil) else {
            Issue.record("not finished")
            return
        }
        #expect(response.url.absoluteString == "http://a/y")
        #expect(response.fields["Location"] == nil)
    }

    @Test func headersCountTowardsTheirLimit() throws {
        var exchange = try exchange()
        #expect(!feed("HTTP/1.1 200 OK\nA: \(String(repeating: "x", count: 500))", to: &exchange))
        #expect(code(exchange.ended(CurlFailure(.stopped))) == .headerTooLarge)
    }

    @Test func aRedirectWithoutALocationIsAStatus() throws {
        var exchange = try exchange()
        #expect(feed("HTTP/1.1 302 Found", to: &exchange))
        #expect(code(exchange.ended(nil)) == .httpStatus)
    }
}
