/// What a caller wants from a decoder.
public struct DecodeOptions: Sendable {
    /// The size in which the picture is wanted; `nil` for the size in the file.
    public var targetSize: TargetSize?

    /// How many bytes of pixels a frame may take; a larger picture is scaled down until it fits. `nil`, the default, for
    /// no such limit. ``largeImageBytes`` is a good one.
    public var maximumFrameBytes: Int?

    /// How much may be saved on a picture that is wanted small.
    public var scalingQuality: ScalingQuality

    /// What is done to the pixels; ``PixelTreatment/display`` unless set.
    public var pixels: PixelTreatment

    /// How much the decoder may take.
    public var limits: DecodeLimits

    /// What the file is believed to be, for bytes that do not say; the bytes win where they do.
    public var formatHint: ImageFormat?

    /// Raised when nobody wants the picture any more; decoders look at it between rows.
    public var cancellation: CancellationFlag?

    /// The clock of ``DecodeLimits/maximumDuration``.
    public var timeSource: TimeSource

    /// What the decoder that these options were given to has taken; a registry makes one for each.
    package var watch: DecodeWatch?

    /// Makes options; everything has a default.
    public init(
        targetSize: TargetSize? = nil,
        maximumFrameBytes: Int? = nil,
        scalingQuality: ScalingQuality = .standard,
        pixels: PixelTreatment = .display,
        limits: DecodeLimits = DecodeLimits(),
        formatHint: ImageFormat? = nil,
        cancellation: CancellationFlag? = nil,
        timeSource: TimeSource = .system
    ) {
        self.targetSize = targetSize
        self.maximumFrameBytes = maximumFrameBytes
        self.scalingQuality = scalingQuality
        self.pixels = pixels
        self.limits = limits
        self.formatHint = formatHint
        self.cancellation = cancellation
        self.timeSource = timeSource
    }

    /// 60 MB: a picture of 15 megapixels. What SDWebImage's `scaleDownLargeImages` keeps to.
    public static let largeImageBytes = 60_000_000
}

extension DecodeOptions {
    /// The options for one decoder, whose time counts from nothing.
    package var forOneDecoder: DecodeOptions {
        var options = self
        options.watch = DecodeWatch(limit: limits.maximumDuration, time: timeSource)
        return options
    }

    /// What a decoder calls between rows, bands or scans: tens of times a frame, not thousands.
    ///
    /// - Throws: ``ImageError`` with the code `cancelled` once nobody wants the picture any more, and `limit-exceeded` once
    ///   a decoder of a registry has worked on a frame for longer than ``DecodeLimits/maximumDuration``.
    public func checkpoint() throws(ImageError) {
        try cancellation?.check()
        try watch?.check()
    }

    /// Lets the time of a call count.
    ///
    /// - Parameters:
    ///   - isPreview: whether what comes of it is not the whole frame.
    ///   - body: a decoder's step; the frame that it may end with has all of its time behind it.
    package func timing(
        isPreview: Bool = false,
        _ body: () throws(ImageError) -> DecoderStep<FrameInfo>
    ) throws(ImageError) -> DecoderStep<FrameInfo> {
        watch?.enter()
        var endsFrame = false
        defer { watch?.leave(endsFrame: endsFrame) }
        let step = try body()
        if case .done = step { endsFrame = !isPreview }
        return step
    }

    /// The canvas that these options want for a stored frame, within their limits.
    ///
    /// - Parameters:
    ///   - orientation: how the file says that the frame is to be turned.
    ///   - hasAlpha: whether a pixel may be other than opaque.
    ///   - colorSpace: what the colours will mean in the canvas.
    /// - Throws: ``ImageError`` with the code `corrupt-image` or `limit-exceeded`.
    public func outputLayout(
        storedSize: PixelSize,
        orientation: Orientation = .up,
        hasAlpha: Bool,
        colorSpace: ColorSpace = .sRGB
    ) throws(ImageError) -> PixelLayout {
        try limits.check(source: storedSize)
        let size = outputSize(storedSize: storedSize, orientation: orientation)
        try limits.check(output: size)
        let alpha: AlphaMode = !hasAlpha ? .opaque : pixels == .stored ? .straight : .premultiplied
        return try PixelLayout(size: size, alpha: alpha, colorSpace: colorSpace)
    }

    /// How a decoder turns a frame that the file says is `orientation`.
    public func appliedOrientation(_ orientation: Orientation) -> Orientation {
        pixels == .stored ? .up : orientation
    }

    private func outputSize(storedSize: PixelSize, orientation: Orientation) -> PixelSize {
        guard pixels == .display else { return storedSize }
        let upright = orientation.isTransposed ? storedSize.transposed : storedSize
        let wanted = targetSize?.outputSize(for: upright) ?? upright
        guard let maximumFrameBytes else { return wanted }
        return wanted.fitting(pixelCount: max(1, maximumFrameBytes / PixelFormat.rgba8.bytesPerPixel))
    }
}

extension PixelSize {
    /// The largest size of about the same proportions with at most `pixelCount` pixels; itself if it has no more.
    func fitting(pixelCount limit: Int) -> PixelSize {
        if let count = pixelCount, count <= limit { return self }
        let factor = (Double(limit) / (Double(width) * Double(height))).squareRoot()
        let width = min(limit, max(1, Int(Double(self.width) * factor)))
        return PixelSize(width: width, height: min(limit / width, max(1, Int(Double(height) * factor))))
    }
}
