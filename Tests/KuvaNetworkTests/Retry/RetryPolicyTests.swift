import KuvaCore
import KuvaNetwork
import Testing

@Suite("Retry policy")
struct RetryPolicyTests {
    private var policy: RetryPolicy {
        var policy = RetryPolicy()
        policy.maximumCount = 5
        policy.firstDelay = .seconds(1)
        policy.growth = 2
        policy.maximumDelay = .seconds(10)
        policy.jitter = 0.5
        return policy
    }

    private let broken = ImageError(.connectionLost, "broken")

    @Test func delaysDoubleUpToTheirLimit() {
        let delays = (0..<6).map { policy.delay(after: broken, retryCount: $0, random: 0) }
        #expect(delays == [.seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(10), nil])
    }

    @Test func chanceTakesAwayUpToItsPart() {
        #expect(policy.delay(after: broken, retryCount: 1, random: 1) == .seconds(1))
        #expect(policy.delay(after: broken, retryCount: 1, random: 0.5) == .milliseconds(1500))
    }

    @Test func theServerMayAskForMore() {
        func delay(_ seconds: Int) -> Duration? {
            policy.delay(after: broken, retryCount: 0, retryAfter: .seconds(seconds), random: 0)
        }
        #expect(delay(20) == .seconds(20))
        #expect(delay(0) == .seconds(1))
        #expect(delay(31) == nil)
    }

    @Test func onlyWhatCanHeal() {
        for code in [ImageError.Code.hostNotFound, .cannotConnect, .connectionLost, .timedOut, .tooSlow] {
            #expect(policy.delay(after: ImageError(code, ""), retryCount: 0, random: 0) != nil)
        }
        for status in [408, 425, 429, 500, 502, 503, 504] {
            let error = ImageError(.httpStatus, "", httpStatus: status)
            #expect(policy.delay(after: error, retryCount: 0, random: 0) != nil)
        }
        for status in [301, 400, 401, 403, 404, 410, 451, 501] {
            let error = ImageError(.httpStatus, "", httpStatus: status)
            #expect(policy.delay(after: error, retryCount: 0, random: 0) == nil)
        }
        for code in [ImageError.Code.cancelled, .tlsFailed, .bodyTooLarge, .emptyBody, .tooManyRedirects] {
            #expect(policy.delay(after: ImageError(code, ""), retryCount: 0, random: 0) == nil)
        }
    }

    @Test func hugeNumbersStayCountable() {
        var policy = policy
        policy.maximumCount = .max
        policy.growth = 1e300
        #expect(policy.delay(after: broken, retryCount: 1_000_000, random: 0) == .seconds(10))
    }
}
