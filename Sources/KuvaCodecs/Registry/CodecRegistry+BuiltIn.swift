internal import KuvaCore

extension CodecRegistry {
    /// The decoders that come with Kuva.
    public static let builtIn: CodecRegistry = {
        var registry = CodecRegistry()
        registry.register([.jpeg]) { _, options in JPEGDecoder(options: options) }
        return registry
    }()
}
