public import FoundationEssentials
public import KuvaCore

/// Which encoder writes which format. A value: change a copy.
public struct EncoderRegistry: ImageEncoderProvider {
    private var encoders: [ImageFormat: any ImageEncoder] = [:]
    private var animationEncoders: [ImageFormat: any AnimationEncoder] = [:]

    /// A registry that writes nothing.
    public init() {}

    /// Makes an encoder the one for still pictures in its format.
    public mutating func register(_ encoder: any ImageEncoder) { encoders[encoder.format] = encoder }

    /// Makes an encoder the one for animations in its format.
    public mutating func register(_ encoder: any AnimationEncoder) { animationEncoders[encoder.format] = encoder }

    /// The encoder for still pictures in a format.
    public subscript(format: ImageFormat) -> (any ImageEncoder)? { encoders[format] }

    /// The encoder for animations in a format.
    public subscript(animated format: ImageFormat) -> (any AnimationEncoder)? { animationEncoders[format] }

    /// The formats that still pictures can be written in, by name.
    public var formats: [ImageFormat] { encoders.keys.sorted { $0.name < $1.name } }

    /// The formats that animations can be written in, by name.
    public var animatedFormats: [ImageFormat] { animationEncoders.keys.sorted { $0.name < $1.name } }

    /// See ``ImageEncoderProvider``.
    public func canEncode(_ format: ImageFormat) -> Bool { encoders[format] != nil }

    /// See ``ImageEncoderProvider``.
    public func canEncodeAnimations(_ format: ImageFormat) -> Bool { animationEncoders[format] != nil }

    /// See ``ImageEncoderProvider``; an animation with all its frames where the format can, as
    /// ``KuvaCore/AnimatedImage/data(as:quality:maxPixelSize:options:encoders:)``, otherwise as
    /// ``KuvaCore/Image/data(as:quality:maxPixelSize:maxFileSize:background:options:encoders:)``, with nothing asked for.
    public func encode(_ image: Image, as format: ImageFormat) throws(ImageError) -> Data {
        if let animation = image.animation, canEncodeAnimations(format) {
            return try animation.data(as: format, encoders: self)
        }
        return try image.data(as: format, encoders: self)
    }

    /// The encoders that come with Kuva: still pictures as JPEG, PNG, WebP, AVIF and GIF, and with the trait `JPEGXL` as
    /// that too; animations as APNG, WebP and GIF.
    public static let builtIn: EncoderRegistry = {
        var registry = EncoderRegistry()
        registry.register(AVIFEncoder())
        registry.register(GIFEncoder())
        registry.register(JPEGEncoder())
        registry.register(PNGEncoder())
        registry.register(WebPEncoder())
        #if JPEGXL
            registry.register(JXLEncoder())
        #endif
        registry.register(APNGEncoder())
        registry.register(GIFAnimationEncoder())
        registry.register(WebPAnimationEncoder())
        return registry
    }()
}
