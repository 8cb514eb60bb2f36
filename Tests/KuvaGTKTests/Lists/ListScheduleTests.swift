import KuvaGTK
import Testing

@Suite("Schedule of a list")
struct ListScheduleTests {
    @Test func whatIsSeenFirstIsLoadedAtOnce() {
        var schedule = ListSchedule()
        let answer1 = schedule.moved(to: 0...5)
        #expect(answer1)
    }

    @Test func rowsThatStayAreLoaded() {
        var schedule = ListSchedule()
        _ = schedule.moved(to: 0...5)
        // Three of six were there before.
        let answer2 = schedule.moved(to: 3...8)
        #expect(answer2)
        let answer3 = schedule.moved(to: 3...8)
        #expect(answer3)
    }

    @Test func rowsThatFlyPastAreNotLoadedUntilTheyStay() {
        var schedule = ListSchedule()
        _ = schedule.moved(to: 0...5)
        // Two of six, then none.
        let answer4 = schedule.moved(to: 4...9)
        #expect(!answer4)
        let answer5 = schedule.moved(to: 100...105)
        #expect(!answer5)
        let answer6 = schedule.moved(to: 100...105)
        #expect(answer6)
    }

    @Test func aViewThatGrowsIsNoFling() {
        var schedule = ListSchedule()
        _ = schedule.moved(to: 10...11)
        let answer7 = schedule.moved(to: 0...30)
        #expect(answer7)
    }

    @Test func aFrameWithoutRowsInTheMiddleOfAFlingIsStillOne() {
        var schedule = ListSchedule()
        _ = schedule.moved(to: 0...5)
        let answers = [schedule.moved(to: nil), schedule.moved(to: 50...55), schedule.moved(to: 50...55)]
        #expect(answers == [false, false, true])
    }

    @Test func listsAreReadFromTheirStart() {
        var schedule = ListSchedule()
        _ = schedule.moved(to: 0...3)
        #expect(schedule.rowsAhead(3, of: 0...3, length: 100) == [4, 5, 6])
        #expect(schedule.rowsAhead(3, of: 0...3, length: 5) == [4])
        #expect(schedule.rowsAhead(3, of: 0...3, length: 4) == [])
        // The list got shorter.
        #expect(schedule.rowsAhead(3, of: 0...3, length: 2) == [])
    }

    @Test func theWayTurnsWithTheView() {
        var schedule = ListSchedule()
        _ = schedule.moved(to: 10...13)
        _ = schedule.moved(to: 8...11)
        #expect(schedule.rowsAhead(3, of: 8...11, length: 100) == [7, 6, 5])
        // Standing still keeps the way.
        _ = schedule.moved(to: 8...11)
        #expect(schedule.rowsAhead(10, of: 8...11, length: 100) == [7, 6, 5, 4, 3, 2, 1, 0])
        _ = schedule.moved(to: 11...14)
        #expect(schedule.rowsAhead(1, of: 11...14, length: 100) == [15])
    }

    @Test func rowsAheadComeBeforeRowsBehindAndNearOnesFirst() {
        var schedule = ListSchedule()
        _ = schedule.moved(to: 10...13)
        let waiting = [8, 9, 14, 15]
        #expect(waiting.sorted { schedule.rank(of: $0) < schedule.rank(of: $1) } == [14, 15, 9, 8])
        _ = schedule.moved(to: 9...12)
        #expect([8, 13, 7, 14].sorted { schedule.rank(of: $0) < schedule.rank(of: $1) } == [8, 7, 13, 14])
    }
}
