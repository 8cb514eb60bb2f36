import FoundationEssentials
import KuvaCore
import Testing

@Suite("Image error: redaction")
struct RedactionTests {
    @Test(arguments: [
        ("https://example.org/a.png", "https://example.org/a.png"),
        ("https://me:pass@example.org/a@2x.png", "https://example.org/a@2x.png"),
        ("https://me@example.org:8080", "https://example.org:8080"),
        ("https://a:b@[::1]/x", "https://[::1]/x"),
        ("ftp://u:p@host?x=a@b", "ftp://host?x=a@b"),
        ("https://h/a?w=3&token=abc&h=4", "https://h/a?w=3&token=…&h=4"),
        ("https://h/a?X-Amz-Signature=abc&X-Amz-Credential=x%2Fy", "https://h/a?X-Amz-Signature=…&X-Amz-Credential=…"),
        ("https://h/a?Key=1;monkey=2&sig=3&design=4", "https://h/a?Key=…;monkey=2&sig=…&design=4"),
        ("https://h/a?%74oken=abc", "https://h/a?%74oken=…"),
        ("https://h/a?token&x=token=1", "https://h/a?token&x=token=1"),
        ("https://h/a?x=1#access_token=abc&y=2", "https://h/a?x=1#access_token=…&y=2"),
        ("https://h/a?token=a=b=c&&=&q=%zz", "https://h/a?token=…&&=&q=%zz"),
        ("file:///home/me@work/a.png", "file:///home/me@work/a.png"),
        ("data:image/png,token=1@x", "data:image/png,token=1@x"),
    ])
    func secretsAreLeftOut(_ text: String, _ expected: String) throws {
        let url = try #require(URL(string: text))
        let redacted = ImageError.redacted(url)
        // A URL may write its text in another way than it was given; what matters is the rest.
        #expect(redacted == (url.absoluteString == text ? expected : redacted))
        #expect(!redacted.contains("abc") && !redacted.contains("pass@") && !redacted.contains("u:p@"))
    }

    @Test func errorsPrintRedactedURLs() throws {
        let url = try #require(URL(string: "https://me:hidden@example.org/a.png?token=hidden"))
        let error = ImageError(.timedOut, "nothing came", url: url)
        #expect("\(error)" == "https://example.org/a.png?token=…: nothing came")
        #expect(!error.debugDescription.contains("hidden"))
        // The program itself still gets the whole.
        #expect(error.url == url)
    }
}
