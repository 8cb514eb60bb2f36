import FoundationEssentials
import KuvaCore
import Testing

@Suite("Image request and cache keys")
struct ImageRequestTests {
    private let text = "https://example.org/a.png?b=c"

    @Test func originalIsKnownByItsURL() throws {
        let request = try ImageRequest(string: text)
        #expect(request.cacheKey == CacheKey(original: text))
        #expect(request.cacheKey == request.originalKey)
        #expect(request.cacheKey.description == text)
    }

    @Test func variantsShareTheirOriginal() throws {
        var request = try ImageRequest(string: text)
        request.targetSize = TargetSize(PixelSize(width: 300, height: 200), mode: .aspectFill)
        #expect(request.cacheKey == CacheKey(original: text, variant: "fill300x200"))
        request.scale = 2
        #expect(request.cacheKey.variant == "fill300x200 @2x")
        #expect(request.cacheKey.originalKey == request.originalKey)
        #expect(request.cacheKey != request.originalKey)
        request.targetSize = nil
        request.scale = 1.5
        #expect(request.cacheKey.variant == "@1.5x")
        #expect(request.cacheKey.description == "\(text) @1.5x")
    }

    @Test func whatChangesPixelsIsInTheKey() throws {
        var request = try ImageRequest(string: text)
        request.maximumFrameBytes = DecodeOptions.largeImageBytes
        #expect(request.cacheKey.variant == "max60000000")
        request.targetSize = TargetSize(PixelSize(width: 9, height: 9))
        request.scalingQuality = .best
        #expect(request.cacheKey.variant == "fit9x9 max60000000 best")
    }

    @Test func whatChangesNoPixelIsNotInTheKey() throws {
        let plain = try ImageRequest(string: text)
        var other = plain
        other.priority = .high
        other.cachePolicy = .reload
        #expect(other.cacheKey == plain.cacheKey)
    }

    @Test func ownNameStandsForTheURL() throws {
        var request = try ImageRequest(string: text)
        request.cacheName = "face of 7"
        request.targetSize = TargetSize(PixelSize(width: 9, height: 9))
        #expect(request.originalKey == CacheKey(original: "face of 7"))
        #expect(request.cacheKey == CacheKey(original: "face of 7", variant: "fit9x9"))
    }

    @Test func anyScaleMakesAKey() throws {
        var request = try ImageRequest(string: text)
        for scale in [Double.infinity, .nan, 1e300, -2, 0] {
            request.scale = scale
            #expect(request.cacheKey != request.originalKey)
        }
    }

    @Test(arguments: ["", "a.png", "/tmp/a.png", "//example.org/a.png", "http://", "https:///a.png", "http:a.png", "?"])
    func textWithoutSchemeOrHostIsAnError(_ text: String) {
        do {
            _ = try ImageRequest(string: text)
            Issue.record("“\(text)” was accepted")
        } catch {
            #expect(error.code == .invalidURL)
            #expect(error.stage == .request)
            #expect(error.message.contains(text))
            #expect(!error.advice.isEmpty)
        }
    }

    @Test(arguments: ["http://e.org", "HTTPS://e.org/a b.png", "file:///tmp/a.png", "asset:a", "http://[::1]:8080/a"])
    func absoluteURLsAreAccepted(_ text: String) throws {
        _ = try ImageRequest(string: text)
    }

    @Test func policiesSayWhatTheirNamesSay() {
        #expect(CachePolicy.standard.isSuperset(of: [.readMemory, .writeMemory, .readDisk, .writeDisk, .load]))
        #expect(!CachePolicy.cacheOnly.contains(.load))
        #expect(CachePolicy.reload.isDisjoint(with: [.readMemory, .readDisk]))
        #expect(CachePolicy.none == .load)
    }
}
