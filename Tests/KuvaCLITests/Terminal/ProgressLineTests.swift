import Kuva
import Testing

@testable import KuvaCLI

@Suite("Progress line")
struct ProgressLineTests {
    private func line(_ received: Int64?, of expected: Int64?, width: Int, _ style: ProgressLine.Style = .ascii)
        -> String
    {
        let progress = received.map { LoadProgress(receivedByteCount: $0, expectedByteCount: expected) }
        return ProgressLine(name: "photo.jpg", progress: progress).text(width: width, style: style)
    }

    @Test func barsGrowWithTheBytes() {
        #expect(line(0, of: 1000, width: 62) == "photo.jpg            [               ]   0%     0 B of 1.0 KB ")
        #expect(line(500, of: 1000, width: 62) == "photo.jpg            [#######        ]  50%   500 B of 1.0 KB ")
        #expect(line(1000, of: 1000, width: 62) == "photo.jpg            [###############] 100%  1.0 KB of 1.0 KB ")
    }

    @Test func eighthsOfAColumnWhereTheCharacterSetHasThem() {
        // 15 columns are 120 eighths; a quarter of them is 3 columns and 6 eighths.
        #expect(line(250, of: 1000, width: 62, .unicode).contains("[███▊           ]"))
        #expect(line(1000, of: 1000, width: 62, .unicode).contains("[███████████████]"))
    }

    @Test func anUnknownLengthIsShownAsSuch() {
        #expect(
            line(0, of: nil, width: 62) == "photo.jpg            [<=>            ]" + String(repeating: " ", count: 15)
                + "0 B of ? "
        )
        // A column for each 32 KiB, and back again after 12.
        #expect(line(3 << 15, of: nil, width: 62).contains("[   <=>         ]"))
        #expect(line(13 << 15, of: nil, width: 62).contains("[           <=> ]"))
        #expect(!line(3 << 15, of: nil, width: 62).contains("%"))
    }

    @Test func beforeTheFirstByteItWaits() {
        #expect(line(nil, of: nil, width: 62) == "photo.jpg            [               ]   0%           waiting ")
    }

    @Test(arguments: 1...200)
    func everyWidthIsKept(width: Int) {
        let long = String(repeating: "山", count: 30)
        for style in [ProgressLine.Style.ascii, .unicode] {
            for progress in [nil, LoadProgress(receivedByteCount: 1 << 40, expectedByteCount: 1 << 41)] {
                let text = ProgressLine(name: long, progress: progress).text(width: width, style: style)
                #expect(DisplayWidth.of(text) == width)
            }
        }
    }

    @Test func moreThanExpectedIsStillAHundredPercent() {
        #expect(line(3000, of: 1000, width: 62).contains("[###############] 100%"))
    }

    @Test func theLocaleChoosesTheBar() {
        func style(_ variables: [String: String]) -> ProgressLine.Style { ProgressLine.Style { variables[$0] } }
        #expect(style(["LANG": "en_GB.UTF-8"]) == .unicode)
        #expect(style(["LANG": "C.utf8"]) == .unicode)
        #expect(style(["LC_ALL": "C", "LANG": "en_GB.UTF-8"]) == .ascii)
        #expect(style(["LC_ALL": "", "LANG": "fi_FI.UTF-8"]) == .unicode)
        #expect(style([:]) == .ascii)
    }

    @Test(arguments: [
        (0, "0 B"), (999, "999 B"), (1000, "1.0 KB"), (1949, "1.9 KB"), (9_949, "9.9 KB"), (9_950, "10 KB"),
        (914_024, "914 KB"), (999_499, "999 KB"), (999_500, "1.0 MB"), (1_520_114, "1.5 MB"), (-5, "0 B"),
        (Int64.max, "9.2 EB"),
    ])
    func bytesAreRoundedToWhatFits(count: Int64, expected: String) {
        #expect(ByteText.short(count) == expected)
    }

    @Test func textIsCutInItsMiddleByColumnsNotCharacters() {
        #expect(DisplayWidth.of("a山é") == 4)
        #expect(DisplayWidth.of("e\u{301}") == 1)
        #expect(DisplayWidth.fit("abc", 5) == "abc  ")
        #expect(DisplayWidth.fit("abcdefgh", 5) == "ab…gh")
        #expect(DisplayWidth.fit("山山山山", 5) == "山…山")
        #expect(DisplayWidth.fit("山山山山", 4) == "山… ")
        #expect(DisplayWidth.fit("abc", 1) == "…")
        #expect(DisplayWidth.fit("abc", 0) == "")
    }

    @Test func controlCharactersDoNotReachTheTerminal() {
        #expect("a\u{1B}[2Jb\n\u{7}\u{9B}c\u{202E}".withoutControls == "a?[2Jb???c?")
        #expect("Björk 山 👩‍👩‍👧".withoutControls == "Björk 山 👩‍👩‍👧")
    }
}
