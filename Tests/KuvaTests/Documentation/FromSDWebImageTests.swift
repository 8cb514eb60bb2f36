import Foundation
import Testing

/// `docs/from-sdwebimage.md` names what there is, and leaves nothing out.
@Suite("From SDWebImage", .enabled(if: PackageFolder.url != nil, "the sources are not where they were built"))
struct FromSDWebImageTests {
    struct Row {
        let theirs: [String]
        let ours: [String]
        let hasCounterpart: Bool
        let difference: String
    }

    let root: URL
    let rows: [Row]

    init() throws {
        root = try #require(PackageFolder.url)
        let page = try String(contentsOf: root.appending(path: "docs/from-sdwebimage.md"), encoding: .utf8)
        rows = page.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 5, cells[1].hasPrefix("`") else { return nil }
            return Row(
                theirs: Self.names(in: cells[1]),
                ours: Self.names(in: cells[2]),
                hasCounterpart: cells[2] != "—",
                difference: cells[3]
            )
        }
    }

    /// The texts between backticks.
    private static func names(in cell: String) -> [String] {
        let parts = cell.split(separator: "`", omittingEmptySubsequences: false)
        return parts.indices.filter { $0 % 2 == 1 }.map { String(parts[$0]) }
    }

    @Test func everyNameOfOursIsDeclared() throws {
        let declarations = try SourceDeclarations(in: root.appending(path: "Sources")).names
        for name in Set(rows.flatMap(\.ours)) {
            #expect(declarations.contains(name), "no source declares \(name)")
        }
    }

    @Test func whatHasNoCounterpartSaysWhy() {
        for row in rows {
            if row.hasCounterpart {
                #expect(!row.ours.isEmpty, "\(row.theirs) names nothing")
            } else {
                #expect(row.difference.count > 20, "\(row.theirs) gives no reason")
            }
        }
    }

    @Test(arguments: [PeerNames.options, PeerNames.contextKeys, PeerNames.classes, PeerNames.members])
    func nothingIsLeftOut(_ names: [String]) {
        // `sd_setImageWithURL:` also stands for its forms with more arguments.
        let known = Set(rows.flatMap(\.theirs).map { $0.split(separator: ":").first.map(String.init) ?? $0 })
        for name in names { #expect(known.contains(name), "\(name) has no row") }
    }

    @Test func thereAre26Options() {
        #expect(PeerNames.options.count == 26)
        #expect(Set(PeerNames.options).count == 26)
    }
}
