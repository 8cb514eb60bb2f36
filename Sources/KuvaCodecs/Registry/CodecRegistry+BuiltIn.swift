internal import KuvaCore

extension CodecRegistry {
    /// The decoders that come with Kuva.
    public static let builtIn: CodecRegistry = {
        var registry = CodecRegistry()
        registry.register([.gif]) { _, options in GIFDecoder(options: options) }
        registry.register([.jpeg]) { _, options in JPEGDecoder(options: options) }
        registry.register([.png, .apng]) { format, options in PNGDecoder(format: format, options: options) }
        registry.register([.webp]) { _, options in WebPDecoder(options: options) }
        registry.register([.avif, .avis]) { PictureDecoder<AVIFFile>(format: $0, options: $1) }
        registry.register([.bmp]) { PictureDecoder<BMPFile>(format: $0, options: $1) }
        registry.register([.ico]) { PictureDecoder<IconFile>(format: $0, options: $1) }
        return registry
    }()
}
