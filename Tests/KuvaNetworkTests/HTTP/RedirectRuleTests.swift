import Foundation
import KuvaCore
import Testing

@testable import KuvaNetwork

@Suite("Redirect rule")
struct RedirectRuleTests {
    private func follow(_ location: String, from start: String) throws -> String {
        let url = try #require(URL(string: start))
        var rule = RedirectRule(from: url, maximumCount: 5)
        return try rule.follow(location, from: url, status: 302).absoluteString
    }

    private func code(_ location: String, from start: String) -> ImageError.Code? {
        do {
            _ = try follow(location, from: start)
            return nil
        } catch {
            return (error as? ImageError)?.code
        }
    }

    /// The normal examples of RFC 3986 §5.4.1.
    @Test(arguments: [
        ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
        ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("..", "http://a/b/"),
        ("../g", "http://a/b/g"), ("../../g", "http://a/g"),
    ])
    func referencesAreResolved(_ reference: String, _ expected: String) throws {
        #expect(try follow(reference, from: "http://a/b/c/d;p?q") == expected)
    }

    @Test func protectionIsNotLost() throws {
        #expect(code("http://a/y", from: "https://a/x") == .insecureRedirect)
        #expect(code("https://a/y", from: "http://a/x") == nil)
        #expect(code("HTTP://b/y", from: "http://a/x") == nil)
        #expect(code("javascript:alert(1)", from: "http://a/x") == .unsupportedScheme)
        #expect(code("data:image/png,x", from: "http://a/x") == .unsupportedScheme)
    }

    @Test func protectionIsNotLostInAChain() throws {
        let start = try #require(URL(string: "http://a/1"))
        var rule = RedirectRule(from: start, maximumCount: 5)
        let secure = try rule.follow("https://a/2", from: start, status: 302)
        #expect(throws: ImageError.self) { try rule.follow("http://a/3", from: secure, status: 302) }
    }

    @Test func credentialsGoToTheSameOriginOnly() throws {
        #expect(try follow("/y", from: "http://u:p@a/x") == "http://u:p@a/y")
        #expect(try follow("http://a:80/y", from: "http://u:p@a/x") == "http://u:p@a:80/y")
        #expect(try follow("http://v@a/y", from: "http://u:p@a/x") == "http://v@a/y")
        #expect(try follow("http://b/y", from: "http://u:p@a/x") == "http://b/y")
        #expect(try follow("http://a:81/y", from: "http://u:p@a/x") == "http://a:81/y")
        #expect(try follow("https://a/y", from: "http://u:p@a/x") == "https://a/y")
    }

    @Test func aFragmentMakesNoOtherRequest() throws {
        #expect(code("/x#part", from: "http://a/x") == .tooManyRedirects)
    }
}
