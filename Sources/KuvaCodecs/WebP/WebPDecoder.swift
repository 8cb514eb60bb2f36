internal import FoundationEssentials
internal import KuvaCore

/// Reads WebP (RFC 9649) through libwebp: lossy, lossless, with and without alpha; of an animation its first frame, on
/// its canvas.
///
/// A whole file that needs no scaling and no turning is decoded into the canvas itself. Otherwise the library writes to
/// a canvas of the decoder's own, so the stored pixels count against ``DecodeLimits/maximumOutputPixels``. libwebp
/// delivers straight alpha and ``FrameWriter`` multiplies, because libwebp's own multiplication rounds down.
final class WebPDecoder: ImageDecoder {
    let format = ImageFormat.webp
    let options: DecodeOptions
    private(set) var input = InputBytes()
    var container = WebPContainer()

    private var info: ImageInfo?
    private var frame: WebPContainer.Frame?
    var held: HeldFrame?
    private var isEnded = false
    private var failure: ImageError?

    init(options: DecodeOptions) { self.options = options }

    func append(_ bytes: Data, isLast: Bool) { input.append(bytes, isLast: isLast) }

    func readInfo() throws(ImageError) -> DecoderStep<ImageInfo> {
        try sticky { () throws(ImageError) in
            if var info {
                if info.loopCount != nil { info.frameCount = countFrames() }
                return .done(info)
            }
            guard let (info, frame) = try readHeader() else {
                if input.isComplete { throw .webpTruncated("inside its header") }
                return .needsMoreBytes
            }
            (self.info, self.frame) = (info, frame)
            return .done(info)
        }
    }

    func decodeFrame(into canvas: inout PixelCanvas) throws(ImageError) -> DecoderStep<FrameInfo> {
        guard case .done(let info) = try readInfo(), let frame else { return .needsMoreBytes }
        try canvas.checkLayout(info.outputLayout)
        return try sticky { () throws(ImageError) in
            if isEnded { return .end }
            let result = try held == nil ? begin(info, frame, into: &canvas) : goOn(into: &canvas)
            if case .done = result { isEnded = true }
            return result
        }
    }

    private func sticky<R>(_ body: () throws(ImageError) -> R) throws(ImageError) -> R {
        if let failure { throw failure }
        do throws(ImageError) {
            return try body()
        } catch {
            failure = error
            held = nil
            throw error
        }
    }
}
