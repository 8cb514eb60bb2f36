import Testing

@testable import KuvaNetwork

@Suite("Transfer clock")
struct TransferClockTests {
    private func clock(total: Duration? = nil) -> TransferClock {
        TransferClock(limits: .init(connect: .seconds(10), idle: .seconds(20), total: total), now: .seconds(100))
    }

    @Test func connecting() {
        let clock = clock()
        #expect(clock.deadline == .seconds(110))
        #expect(clock.expired(now: .seconds(109)) == nil)
        #expect(clock.expired(now: .seconds(110)) == .connect(.seconds(10)))
    }

    @Test func silence() {
        var clock = clock()
        clock.connected(now: .seconds(105))
        #expect(clock.deadline == .seconds(125))
        clock.received(now: .seconds(120))
        #expect(clock.deadline == .seconds(140))
        #expect(clock.expired(now: .seconds(139)) == nil)
        #expect(clock.expired(now: .seconds(140)) == .idle(.seconds(20)))
    }

    @Test func redirectsConnectAnewButTheTotalGoesOn() {
        var clock = clock(total: .seconds(30))
        clock.connected(now: .seconds(101))
        clock.restarted(now: .seconds(115))
        #expect(clock.deadline == .seconds(125))
        clock.received(now: .seconds(124))
        #expect(clock.deadline == .seconds(130))
        #expect(clock.expired(now: .seconds(130)) == .total(.seconds(30)))
    }
}
