import Foundation
import Kuva
import Testing

@testable import KuvaCLI

@Suite("File names")
struct FileNameTests {
    private func name(_ url: String, _ format: ImageFormat = .jpeg, isConverted: Bool = false) throws -> String {
        FileName(try #require(URL(string: url)), format: format, isConverted: isConverted).text()
    }

    @Test(arguments: [
        ("http://h.test/a/photo.jpg", "photo.jpg"),
        ("http://h.test/photo.JPEG?size=3#top", "photo.JPEG"),
        ("http://h.test/photo.webp", "photo.webp"),
        ("http://h.test/a%20b.jpg", "a b.jpg"),
        ("http://h.test/%E5%B1%B1.jpg", "山.jpg"),
        ("http://h.test/archive.tar.png", "archive.tar.png"),
    ])
    func theLastPartOfThePathIsTheName(url: String, expected: String) throws {
        #expect(try name(url) == expected)
    }

    @Test(arguments: [
        ("http://h.test/photo", "photo.jpg"),
        ("http://h.test/show.php?id=3", "show.php.jpg"),
        ("http://h.test/v1.2", "v1.2.jpg"),
        ("http://h.test/", "image.jpg"),
        ("http://h.test", "image.jpg"),
        ("http://h.test/a/b/", "b.jpg"),
    ])
    func anExtensionIsAddedWhereThereIsNone(url: String, expected: String) throws {
        #expect(try name(url) == expected)
    }

    @Test(arguments: [
        ("http://h.test/..%2F..%2Fetc%2Fpasswd", "_.._etc_passwd.jpg"),
        ("http://h.test/%2e%2e", "image.jpg"),
        ("http://h.test/.bashrc", "bashrc.jpg"),
        ("http://h.test/.hidden.jpg", "hidden.jpg"),
        ("http://h.test/-rf.jpg", "_rf.jpg"),
        ("http://h.test/a%00b%0A%1B%5B2J.jpg", "a_b__[2J.jpg"),
        ("http://h.test/a%5Cb.jpg", "a_b.jpg"),
        ("http://h.test/gpj.%E2%80%AEexe.jpg", "gpj._exe.jpg"),
        ("http://h.test/%20%20.jpg", "jpg.jpg"),
        ("http://h.test/%FF%FE.jpg", "\u{FFFD}\u{FFFD}.jpg"),
        ("http://h.test/100%25.jpg", "100%.jpg"),
    ])
    func hostileNamesStayInTheFolderAndVisible(url: String, expected: String) throws {
        #expect(try name(url) == expected)
    }

    @Test func longNamesAreCutToWhatLinuxAllows() throws {
        let long = try name("http://h.test/" + String(repeating: "%E5%B1%B1", count: 200) + ".png", .png)
        #expect(long.utf8.count <= 240)
        #expect(long.hasSuffix("山.png"))
    }

    @Test func convertedPicturesAreNamedAfterTheirNewFormat() throws {
        #expect(try name("http://h.test/a.jpg", .png, isConverted: true) == "a.png")
        #expect(try name("http://h.test/a", .png, isConverted: true) == "a.png")
        #expect(try name("http://h.test/a.txt", .png, isConverted: true) == "a.txt.png")
    }

    @Test func furtherTriesGetNumbers() throws {
        let name = FileName(try #require(URL(string: "http://h.test/a.jpg")), format: .jpeg)
        #expect([0, 1, 12].map { name.text(attempt: $0) } == ["a.jpg", "a-1.jpg", "a-12.jpg"])
    }
}
