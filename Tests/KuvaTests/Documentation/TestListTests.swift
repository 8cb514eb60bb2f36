import Foundation
import Testing

/// The pages that say where a peer's test is here name tests that exist.
@Suite("Lists of tests", .enabled(if: PackageFolder.url != nil, "the sources are not where they were built"))
struct TestListTests {
    @Test(arguments: [("manager-tests.md", 80), ("coder-tests.md", 25)])
    func everyTestNamedExists(_ page: String, _ least: Int) throws {
        let root = try #require(PackageFolder.url)
        let tests = try SourceDeclarations(in: root.appending(path: "Tests")).names
        let text = try String(contentsOf: root.appending(path: "docs/\(page)"), encoding: .utf8)
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        let named = parts.indices.filter { $0 % 2 == 1 }.map { String(parts[$0]) }
            // Those that start so are the peer's.
            .filter { ($0.split(separator: ".").first?.hasSuffix("Tests") ?? false) && !$0.hasPrefix("SD") }
        #expect(named.count > least)
        for name in named { #expect(tests.contains(name), "there is no test \(name)") }
    }
}
