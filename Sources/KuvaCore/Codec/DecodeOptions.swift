/// What a caller wants from a decoder.
public struct DecodeOptions: Sendable {
    /// The size in which the picture is wanted; `nil` for the size in the file.
    public var targetSize: TargetSize?

    /// How much the decoder may take.
    public var limits: DecodeLimits

    /// What the file is believed to be, for bytes that do not say; the bytes win where they do.
    public var formatHint: ImageFormat?

    /// Raised when nobody wants the picture any more; decoders look at it between rows.
    public var cancellation: CancellationFlag?

    /// Makes options; everything has a default.
    public init(
        targetSize: TargetSize? = nil,
        limits: DecodeLimits = DecodeLimits(),
        formatHint: ImageFormat? = nil,
        cancellation: CancellationFlag? = nil
    ) {
        self.targetSize = targetSize
        self.limits = limits
        self.formatHint = formatHint
        self.cancellation = cancellation
    }
}
