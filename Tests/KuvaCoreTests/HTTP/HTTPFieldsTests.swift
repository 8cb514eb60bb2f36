import FoundationEssentials
import KuvaCore
import Testing

@Suite("HTTP fields")
struct HTTPFieldsTests {
    @Test func namesCompareWithoutRegardToCase() {
        var fields: HTTPFields = ["Content-Type": "image/png", "ETag": "\"1\""]
        #expect(fields["content-type"] == "image/png")
        #expect(fields["CONTENT-TYPE"] == "image/png")
        #expect(fields["Content-Typ"] == nil)
        #expect(fields["Content_Type"] == nil)
        fields["etag"] = "\"2\""
        #expect(fields.fields.map(\.name) == ["Content-Type", "etag"])
        fields["CONTENT-type"] = nil
        #expect(fields.fields.map(\.value) == ["\"2\""])
    }

    @Test func onlyASCIILettersHaveCase() {
        let fields: HTTPFields = ["é": "1", "K": "2", "[": "3"]
        #expect(fields["É"] == nil)
        #expect(fields["\u{212A}"] == nil)
        #expect(fields["{"] == nil)
    }

    @Test func linesOfOneNameAreJoinedInOrder() {
        var fields = HTTPFields()
        fields.append(name: "Cache-Control", value: "max-age=60")
        fields.append(name: "Vary", value: "Accept")
        fields.append(name: "cache-control", value: "public")
        #expect(fields["Cache-Control"] == "max-age=60, public")
        #expect(fields.values(of: "cache-control") == ["max-age=60", "public"])
        #expect(fields.values(of: "Age").isEmpty)
        fields["Cache-Control"] = "no-store"
        #expect(fields.values(of: "cache-control") == ["no-store"])
    }
}

@Suite("Stored response")
struct StoredResponseTests {
    private func mediaType(_ values: String...) throws -> String? {
        var fields = HTTPFields()
        for value in values { fields.append(name: "content-type", value: value) }
        let url = try #require(URL(string: "https://example.org/a"))
        let date = Date(timeIntervalSince1970: 0)
        return StoredResponse(url: url, status: 200, fields: fields, requestTime: date, responseTime: date).mediaType
    }

    @Test func mediaTypeIsLowerCaseWithoutParameters() throws {
        #expect(try mediaType("image/JPEG") == "image/jpeg")
        #expect(try mediaType("image/svg+xml; charset=utf-8") == "image/svg+xml")
        #expect(try mediaType("\t Image/Png \t;q=1;x=\";\"") == "image/png")
        #expect(try mediaType("text/plain", "image/gif") == "image/gif")
    }

    @Test func noMediaTypeIsNil() throws {
        #expect(try mediaType() == nil)
        #expect(try mediaType("") == nil)
        #expect(try mediaType("  ") == nil)
        #expect(try mediaType(" ; charset=utf-8") == nil)
    }
}
