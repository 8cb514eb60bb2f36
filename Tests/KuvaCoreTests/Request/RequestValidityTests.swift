import FoundationEssentials
import KuvaCore
import Testing

@Suite("Request validity")
struct RequestValidityTests {
    private func request(_ change: (inout ImageRequest) -> Void) throws -> ImageRequest {
        var request = ImageRequest(url: try #require(URL(string: "http://pictures.test/a")))
        change(&request)
        return request
    }

    private func code(_ request: ImageRequest) -> ImageError.Code? {
        do throws(ImageError) {
            try request.validate()
            return nil
        } catch {
            return error.code
        }
    }

    @Test func whatCannotGiveAPictureIsRefused() throws {
        let contradictions: [(inout ImageRequest) -> Void] = [
            { $0.cachePolicy = [] },
            { $0.cachePolicy = [.writeMemory, .writeDisk] },
            {
                $0.httpCachePolicy = .onlyIfCached
                $0.cachePolicy = .reload
            },
            {
                $0.httpCachePolicy = .reload
                $0.cachePolicy = .cacheOnly
            },
            {
                $0.httpCachePolicy = .refresh
                $0.cachePolicy = .cacheOnly
            },
            {
                $0.wantsData = true
                $0.cachePolicy = [.readMemory]
            },
            {
                $0.waitsForStore = true
                $0.cachePolicy = .none
            },
            { $0.acceptsLarger = true },
            {
                $0.acceptsLarger = true
                $0.targetSize = TargetSize(PixelSize(width: 1, height: 1))
                $0.cachePolicy = .reload
            },
        ]
        for contradiction in contradictions {
            #expect(code(try request(contradiction)) == .invalidConfiguration)
        }
    }

    @Test func whatMakesSenseIsNotRefused() throws {
        let requests: [(inout ImageRequest) -> Void] = [
            { _ in },
            { $0.cachePolicy = .cacheOnly },
            { $0.cachePolicy = .none },
            { $0.cachePolicy = .reload },
            { $0.cachePolicy = [.readMemory] },
            { $0.httpCachePolicy = .onlyIfCached },
            { $0.httpCachePolicy = .refresh },
            { $0.wantsData = true },
            {
                $0.waitsForStore = true
                $0.diskContent = .both
            },
            {
                $0.acceptsLarger = true
                $0.targetSize = TargetSize(PixelSize(width: 1, height: 1))
            },
        ]
        for change in requests { #expect(code(try request(change)) == nil) }
    }

    @Test func theErrorNamesThePropertiesAndWhatToDo() throws {
        let request = try request { $0.cachePolicy = [] }
        do throws(ImageError) {
            try request.validate()
            Issue.record("an empty policy was accepted")
        } catch {
            #expect(error.message.contains("cachePolicy"))
            #expect(!error.advice.isEmpty)
            #expect(error.url == request.url)
        }
    }

    /// A third has endless decimals; keys keep three, so that two ways to compute it are one key.
    @Test func keysHoldNoFloatNoise() throws {
        let third = try request { $0.scale = 4.0 / 3 }
        let noisy = try request { $0.scale = 4.0 / 3 + 1e-9 }
        #expect(third.cacheKey.variant == "@1.333x")
        #expect(noisy.cacheKey == third.cacheKey)
    }
}
