import Kuva
import Testing

@testable import KuvaCLI

@Suite("Arguments")
struct ParsedArgumentsTests {
    private static let output = OptionSyntax("output", letter: "o", value: "DIR", help: "")
    private static let force = OptionSyntax("force", letter: "f", help: "")
    private static let syntax = CommandSyntax(
        name: "get",
        summary: "",
        operands: "URL…",
        details: [],
        options: [output, force]
    )

    private func parse(_ words: String...) throws(UsageError) -> ParsedArguments {
        try ParsedArguments(words, syntax: Self.syntax)
    }

    @Test(arguments: [
        ["--output", "d"], ["--output=d"], ["-o", "d"], ["-od"], ["-o", "x", "--output", "d"],
    ])
    func valuesAreWrittenInAnyUsualWay(words: [String]) throws {
        let parsed = try ParsedArguments(["a"] + words + ["b"], syntax: Self.syntax)
        #expect(parsed.value(of: Self.output) == "d")
        #expect(parsed.operands == ["a", "b"])
        #expect(!parsed.has(Self.force))
    }

    @Test func aValueMayLookLikeAnOptionOrHoldAnEqualsSign() throws {
        #expect(try parse("-o", "-f").value(of: Self.output) == "-f")
        #expect(try parse("--output=a=b").value(of: Self.output) == "a=b")
        #expect(try parse("--output=").value(of: Self.output) == "")
    }

    @Test func twoDashesEndTheOptions() throws {
        let parsed = try parse("-f", "--", "-f", "--", "--output")
        #expect(parsed.has(Self.force))
        #expect(parsed.operands == ["-f", "--", "--output"])
        #expect(try parse("-").operands == ["-"])
    }

    @Test func whatIsWrongIsSaid() {
        #expect(throws: UsageError("--output needs a value: -o, --output DIR", command: "get")) {
            try parse("--output")
        }
        #expect(throws: UsageError("--force takes no value", command: "get")) { try parse("--force=yes") }
        #expect(throws: UsageError("-f takes no value", command: "get")) { try parse("-fo") }
        #expect(throws: UsageError("get has no option -x", command: "get")) { try parse("-x") }
        #expect(throws: UsageError("get has no option --outptu; did you mean --output?", command: "get")) {
            try parse("--outptu", "d")
        }
        #expect(throws: UsageError("get has no option --colour", command: "get")) { try parse("--colour") }
    }

    @Test func suggestionsAreAtMostTwoEditsAway() {
        #expect(Suggestion.distance(Array("kitten"), Array("sitting")) == 3)
        #expect(Suggestion.distance(Array(""), Array("abc")) == 3)
        #expect(Suggestion.closest(to: "inof", in: ["get", "info"]) == "info")
        #expect(Suggestion.closest(to: "convert", in: ["get", "info"]) == nil)
    }

    @Test func sizesAreTwoPositiveNumbers() {
        #expect(PixelSize(commandLine: "300x200") == PixelSize(width: 300, height: 200))
        #expect(PixelSize(commandLine: "1x65535") == PixelSize(width: 1, height: 65_535))
        for text in [
            "", "x", "300", "300x", "x200", "0x1", "1x65536", "-1x1", "+1x1", "1x1x1", "1 x1", "99999999999999999999x1",
        ] {
            #expect(PixelSize(commandLine: text) == nil, "\(text)")
        }
    }
}
