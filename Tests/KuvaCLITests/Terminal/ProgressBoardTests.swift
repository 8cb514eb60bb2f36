import Kuva
import Testing

@testable import KuvaCLI

/// What the board writes is played on a small terminal.
@Suite("Progress board")
struct ProgressBoardTests {
    private var screen = TerminalScreen()
    private var board = ProgressBoard(style: .ascii)

    private mutating func draw(rows: Int = 24) {
        screen.play(board.drawing(columns: 63, rows: rows, now: .zero))
    }

    private func line(_ name: String, _ bar: String, _ percent: String, _ amount: String) -> String {
        func left(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: width - text.count)
        }
        func right(_ text: String, _ width: Int) -> String {
            String(repeating: " ", count: width - text.count) + text
        }
        return "\(left(name, 20)) [\(left(bar, 15))] \(right(percent, 4)) \(right(amount, 17)) "
    }

    @Test mutating func linesAreRedrawnInPlaceAndWhatEndsStaysAbove() {
        board.began(1, name: "a.jpg")
        board.began(2, name: "b.jpg")
        draw()
        #expect(screen.text == [line("a.jpg", "", "0%", "waiting"), line("b.jpg", "", "0%", "waiting")])

        let half = LoadProgress(receivedByteCount: 500, expectedByteCount: 1000)
        _ = board.progressed(2, half, now: .zero)
        draw()
        #expect(
            screen.text == [line("a.jpg", "", "0%", "waiting"), line("b.jpg", "#######", "50%", "500 B of 1.0 KB")]
        )

        board.ended(2, line: "./b.jpg: saved")
        draw()
        #expect(screen.text == ["./b.jpg: saved", line("a.jpg", "", "0%", "waiting")])

        board.noted("kuva: the disk is slow")
        board.ended(1, line: nil)
        draw()
        #expect(screen.text == ["./b.jpg: saved", "kuva: the disk is slow"])
    }

    @Test mutating func whatDoesNotFitIsCounted() {
        for id in 0..<10 { board.began(id, name: "\(id).jpg") }
        draw(rows: 6)
        #expect(screen.text.count == 4)
        #expect(screen.text.last == "… and 7 more")
        draw(rows: 12)
        #expect(screen.text.count == 10)
        #expect(screen.text.last?.hasPrefix("9.jpg") == true)
    }

    @Test mutating func bytesAloneDrawAtMostTwentyTimesASecond() {
        board.began(1, name: "a.jpg")
        let some = LoadProgress(receivedByteCount: 1, expectedByteCount: 2)
        var isDue: [Bool] = []
        isDue.append(board.progressed(1, some, now: .seconds(1)))
        _ = board.drawing(columns: 80, rows: 24, now: .seconds(1))
        isDue.append(board.progressed(1, some, now: .seconds(1) + .milliseconds(49)))
        isDue.append(board.progressed(1, some, now: .seconds(1) + .milliseconds(50)))
        board.ended(1, line: nil)
        isDue.append(board.progressed(1, some, now: .seconds(9)))
        #expect(isDue == [true, false, true, false])
    }

    @Test mutating func namesCannotSteerTheTerminal() {
        board.began(1, name: "a\u{1B}[2J.jpg")
        board.noted("b\u{1B}[2J")
        draw()
        #expect(screen.text.first == "b?[2J")
        #expect(screen.text.last?.hasPrefix("a?[2J.jpg ") == true)
    }
}
