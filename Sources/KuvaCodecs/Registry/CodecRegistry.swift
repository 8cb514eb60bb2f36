public import FoundationEssentials
public import KuvaCore

/// Which decoder reads which file. The last one added is asked first, so that a program can put its own in front.
///
/// A value: change a copy and give it to a manager. Making a decoder looks at a few bytes and decodes nothing.
public struct CodecRegistry: ImageDecoderProvider {
    /// Looks at the first bytes of a file and makes a decoder for it, or declines.
    public typealias DecoderFactory =
        @Sendable (
            _ prefix: UnsafeRawBufferPointer, _ format: ImageFormat, _ options: DecodeOptions
        ) -> (any ImageDecoder)?

    private var factories: [DecoderFactory] = []

    /// A registry that knows no format.
    public init() {}

    /// Adds a decoder, asked before all that are there.
    ///
    /// - Parameter factory: gets the file's first bytes, valid during the call only, and the format that they have by
    ///   their signature (or by the options' hint where they have none); returns `nil` to decline.
    public mutating func register(_ factory: @escaping DecoderFactory) {
        factories.append(factory)
    }

    /// Adds a decoder for the given formats, asked before all that are there.
    public mutating func register(
        _ formats: Set<ImageFormat>,
        _ factory: @escaping @Sendable (ImageFormat, DecodeOptions) -> any ImageDecoder
    ) {
        register { _, format, options in formats.contains(format) ? factory(format, options) : nil }
    }

    /// See ``ImageDecoderProvider``.
    public func makeDecoder(forPrefix prefix: Data, options: DecodeOptions) -> (any ImageDecoder)? {
        prefix.withUnsafeBytes { bytes in
            var format = ImageFormat(sniffing: bytes)
            if format == .unknown, let hint = options.formatHint { format = hint }
            let options = options.forOneDecoder
            for factory in factories.reversed() {
                if let decoder = factory(bytes, format, options) { return decoder }
            }
            return nil
        }
    }
}
