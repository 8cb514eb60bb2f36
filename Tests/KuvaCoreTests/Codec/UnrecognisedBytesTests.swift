import FoundationEssentials
import KuvaCore
import Testing

@Suite("Unrecognised bytes")
struct UnrecognisedBytesTests {
    private func error(_ text: String, _ mediaType: String? = nil) -> ImageError {
        UnrecognisedBytes.error(for: Data(text.utf8), mediaType: mediaType)
    }

    @Test func emptyBodyIsSaidToBeEmpty() {
        #expect(error("").code == .emptyBody)
    }

    @Test func knownFormatLacksADecoder() {
        let error = error("%PDF-1.7")
        #expect(error.code == .unsupportedFormat)
        #expect(error.message.contains("pdf"))
    }

    @Test(arguments: [
        ("<!doctype html><title>Log in</title>", "HTML"), ("\n<HTML>", "HTML"), ("<!-- x --><html>", "HTML"),
        ("{\"error\": 404}", "JSON"), (" [ {}", "JSON"), ("{", "JSON"), ("[]", "JSON"),
        ("<?xml version='1.0'?><rss/>", "XML"), ("<Error><Code>NoSuchKey</Code></Error>", "XML"),
        ("Not found\r\n", "text"), ("[section]\nkey=1", "text"), ("{% template %}", "text"),
        (String(repeating: "é", count: 300), "text"), ("x" + String(repeating: "é", count: 300), "text"),
    ])
    func pagesAndTextsAreNamed(_ text: String, _ name: String) {
        let error = error(text)
        #expect(error.code == .notAnImage)
        #expect(error.message.contains(name), "\(error)")
        #expect(!error.advice.isEmpty)
    }

    @Test func pageInLatin1IsStillAPage() {
        let bytes = Array("<html><title>Caf".utf8) + [0xE9] + Array("</title>".utf8)
        #expect(UnrecognisedBytes.error(for: Data(bytes)).message.contains("HTML"))
    }

    @Test func unknownBytesAreNotCalledAText() {
        for bytes in [[0, 1, 2, 3], [0xE9, 0x74, 0xE9, 0x20], [0x1F, 0x8B, 8]] as [[UInt8]] {
            #expect(UnrecognisedBytes.error(for: Data(bytes)).code == .unsupportedFormat)
        }
    }

    @Test func whatTheServerSaidIsRepeated() {
        #expect(error("<html>", "image/jpeg").message.contains("image/jpeg"))
        #expect(error("\0\0", "image/jpeg").message.contains("image/jpeg"))
    }
}
