internal import KuvaCore

extension CodecRegistry {
    /// The decoders that come with Kuva.
    public static let builtIn: CodecRegistry = {
        var registry = CodecRegistry()
        registry.register([.gif]) { _, options in GIFDecoder(options: options) }
        registry.register([.jpeg]) { _, options in JPEGDecoder(options: options) }
        registry.register([.png, .apng]) { format, options in PNGDecoder(format: format, options: options) }
        registry.register([.webp]) { _, options in WebPDecoder(options: options) }
        registry.register([.avif, .avis]) { SequenceDecoder<AVIFFile>(format: $0, options: $1) }
        registry.register([.bmp]) { SequenceDecoder<BMPFile>(format: $0, options: $1) }
        registry.register([.ico]) { SequenceDecoder<IconFile>(format: $0, options: $1) }
        #if TIFF
            registry.register([.tiff]) { SequenceDecoder<TIFFFile>(format: $0, options: $1) }
        #endif
        #if SVG
            registry.register([.svg]) { SequenceDecoder<SVGFile>(format: $0, options: $1) }
        #endif
        #if PDF
            registry.register([.pdf]) { SequenceDecoder<PDFFile>(format: $0, options: $1) }
        #endif
        #if HEIF
            registry.register([.heic, .heif]) { SequenceDecoder<HEIFFile>(format: $0, options: $1) }
        #endif
        #if JPEGXL
            registry.register([.jpegXL]) { SequenceDecoder<JXLFile>(format: $0, options: $1) }
        #endif
        return registry
    }()
}
