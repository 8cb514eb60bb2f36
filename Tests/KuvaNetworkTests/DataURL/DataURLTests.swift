import Foundation
import KuvaCore
import KuvaNetwork
import KuvaTesting
import Testing

@Suite("data: addresses", .timeLimit(.minutes(10)))
struct DataURLTests {
    private func load(_ text: String, limit: Int64 = 1000) async throws -> Result<LoadedData, ImageError> {
        let url = try #require(URL(string: text))
        let loader = DataURLLoader(maximumByteCount: limit)
        #expect(loader.canLoad(url))
        return await LoadProbe(loader, url).result
    }

    /// The first is the example of RFC 2397 §4; the base64 of the others is that of RFC 4648 §10.
    @Test(arguments: [
        ("data:,A%20brief%20note", "A brief note"), ("data:;base64,Zm9vYmFy", "foobar"),
        ("data:image/png;base64,Zm9vYg==", "foob"), ("data:image/png;base64,Zm9vYg", "foob"),
        ("DATA:text/plain;charset=US-ASCII;BASE64,Zm9v", "foo"), ("data:image/svg+xml,%3Csvg/%3E#frag", "<svg/>"),
        ("data:image/png;base64,Zm9v%0AYmFy", "foobar"), ("data:text/plain,a,b", "a,b"),
    ])
    func bytes(_ text: String, _ expected: String) async throws {
        let loaded = try await load(text).get()
        #expect(loaded.bytes == Data(expected.utf8))
        #expect(!loaded.isCacheable)
        #expect(loaded.response == nil)
    }

    @Test(arguments: [
        ("data:image/png;base64", ImageError.Code.invalidURL), ("data:;base64,Z", .invalidURL),
        ("data:;base64,Zm9v!", .invalidURL), ("data:,", .emptyBody), ("data:;base64,", .emptyBody),
    ])
    func mistakes(_ text: String, _ code: ImageError.Code) async throws {
        guard case .failure(let error) = try await load(text) else {
            Issue.record("loaded")
            return
        }
        #expect(error.code == code)
        #expect(!error.advice.isEmpty)
    }

    @Test func limits() async throws {
        let text = "data:," + String(repeating: "x", count: 101)
        guard case .failure(let error) = try await load(text, limit: 100) else {
            Issue.record("loaded")
            return
        }
        #expect(error.code == .bodyTooLarge)
        #expect(try await load(text, limit: 101).get().bytes.count == 101)
    }

    @Test func bytesComeForWhoWantsThem() async throws {
        let url = try #require(URL(string: "data:,abc"))
        let probe = LoadProbe(DataURLLoader(), url, wantsBytes: true)
        _ = try await probe.result.get()
        #expect(probe.bytes == Data("abc".utf8))
        #expect(probe.progress == [LoadProgress(receivedByteCount: 3, expectedByteCount: 3)])
    }
}
