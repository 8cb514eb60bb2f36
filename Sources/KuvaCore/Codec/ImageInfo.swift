/// What a file says about its picture, known before any pixel is decoded.
public struct ImageInfo: Sendable {
    /// The format of the file.
    public var format: ImageFormat
    /// Width and height as stored, before orientation.
    public var storedSize: PixelSize
    /// How the stored picture must be turned to be upright.
    public var orientation: Orientation
    /// Frames, as far as known: 1 for a still picture.
    public var frameCount: Int
    /// How often an animation plays: 0 for ever, `nil` for a still picture or where the file does not say.
    public var loopCount: Int?
    /// Bits of one channel in the file; 8 for most.
    public var bitsPerChannel: Int
    /// Whether the file has an alpha channel or a transparent colour.
    public var hasAlpha: Bool
    /// The file's own name for its pixels, such as `YCbCr 4:2:0` or `palette`, for people.
    public var pixelDescription: String
    /// Bytes of the ICC profile in the file; 0 if there is none.
    public var iccProfileByteCount: Int
    /// The canvas that ``ImageDecoder/decodeFrame(into:)`` needs: upright and scaled to the target.
    public var outputLayout: PixelLayout

    /// Width and height as a viewer sees the picture, upright and unscaled.
    public var uprightSize: PixelSize { orientation.isTransposed ? storedSize.transposed : storedSize }

    /// Makes a description; see the properties.
    public init(
        format: ImageFormat,
        storedSize: PixelSize,
        orientation: Orientation = .up,
        frameCount: Int = 1,
        loopCount: Int? = nil,
        bitsPerChannel: Int = 8,
        hasAlpha: Bool = false,
        pixelDescription: String = "",
        iccProfileByteCount: Int = 0,
        outputLayout: PixelLayout
    ) {
        self.format = format
        self.storedSize = storedSize
        self.orientation = orientation
        self.frameCount = frameCount
        self.loopCount = loopCount
        self.bitsPerChannel = bitsPerChannel
        self.hasAlpha = hasAlpha
        self.pixelDescription = pixelDescription
        self.iccProfileByteCount = iccProfileByteCount
        self.outputLayout = outputLayout
    }
}

/// What a decoder says about a frame that it has written.
public struct FrameInfo: Sendable {
    /// The number of the frame, from 0.
    public var index: Int
    /// How long the frame is shown; zero for a still picture.
    public var duration: Duration
    /// What alpha turned out to mean.
    public var alpha: AlphaMode
    /// `nil` for a whole frame. For a damaged or cut-off file: why the frame is only partly there; rows that did not
    /// come are transparent black.
    public var damage: ImageError?

    /// Makes a description; see the properties.
    public init(index: Int, duration: Duration = .zero, alpha: AlphaMode, damage: ImageError? = nil) {
        self.index = index
        self.duration = duration
        self.alpha = alpha
        self.damage = damage
    }
}
