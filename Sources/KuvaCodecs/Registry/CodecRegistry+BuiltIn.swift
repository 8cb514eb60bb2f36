extension CodecRegistry {
    /// The decoders that come with Kuva.
    public static let builtIn: CodecRegistry = {
        let registry = CodecRegistry()
        return registry
    }()
}
