import KuvaCore
import KuvaNetwork
import Testing

@Suite("Downloader configuration")
struct ConfigurationTests {
    @Test func defaults() throws {
        let configuration = Downloader.Configuration()
        try configuration.validate()
        #expect(configuration.maximumConcurrentLoads == 6)
        #expect(configuration.maximumConcurrentLoadsPerHost == 6)
        #expect(configuration.connectTimeout == .seconds(15))
        #expect(configuration.idleTimeout == .seconds(15))
        #expect(configuration.minimumProgressInterval == 0)
        #expect((1...200_000_000).contains(configuration.maximumBodyByteCount))
    }

    private static let mistakes: [(String, @Sendable (inout Downloader.Configuration) -> Void)] = [
        ("maximumConcurrentLoads", { $0.maximumConcurrentLoads = 0 }),
        ("maximumConcurrentLoads", { $0.maximumConcurrentLoads = -1 }),
        ("maximumConcurrentLoadsPerHost", { $0.maximumConcurrentLoadsPerHost = 0 }),
        ("connectTimeout", { $0.connectTimeout = .zero }),
        ("idleTimeout", { $0.idleTimeout = .seconds(-1) }),
        ("totalTimeout", { $0.totalTimeout = .zero }),
        ("minimumProgressInterval", { $0.minimumProgressInterval = 1.1 }),
        ("minimumProgressInterval", { $0.minimumProgressInterval = .nan }),
        ("maximumBodyByteCount", { $0.maximumBodyByteCount = 0 }),
        ("maximumHeaderByteCount", { $0.maximumHeaderByteCount = 0 }),
        ("maximumRedirectCount", { $0.maximumRedirectCount = -1 }),
        ("headers", { $0.headers["A B"] = "1" }),
        ("headers", { $0.headers["A"] = "1\u{7F}" }),
        ("firstByteTimeout", { $0.firstByteTimeout = .zero }),
        ("minimumSpeed", { $0.minimumSpeed = MinimumSpeed(bytesPerSecond: 0, over: .seconds(1)) }),
        ("retry", { $0.retry.maximumCount = -1 }),
        ("retry", { $0.retry.jitter = 2 }),
    ]

    @Test(arguments: mistakes.indices) func whatCannotWorkIsAnErrorNotAStall(_ index: Int) {
        let (property, change) = Self.mistakes[index]
        var configuration = Downloader.Configuration()
        change(&configuration)
        let error = #expect(throws: ImageError.self) { _ = try Downloader(configuration: configuration) }
        #expect(error?.code == .invalidConfiguration)
        #expect(error?.message.contains(property) == true || error?.advice.contains(property) == true)
    }

    /// A line break in a value becomes a space: there is no way to add a field that was not asked for.
    @Test func valuesCannotAddFields() throws {
        var configuration = Downloader.Configuration()
        configuration.headers["A"] = "1\r\nInjected: 2"
        try configuration.validate()
        #expect(configuration.headers["A"] == "1  Injected: 2")
        #expect(configuration.headers["Injected"] == nil)
    }
}
