public import FoundationEssentials

/// A decoded picture and what is wrong with it.
public struct DecodedImage: Sendable {
    /// The picture.
    public var image: Image
    /// What the file said about itself.
    public var info: ImageInfo
    /// Why the picture is only partly there; `nil` for a whole one.
    public var damage: ImageError?
}

extension ImageDecoderProvider {
    /// Decodes the first frame of a whole file. Blocks the calling thread for the time it takes: call it on a thread
    /// of your own, never on the main thread or Swift's cooperative pool.
    ///
    /// - Parameters:
    ///   - data: the whole file.
    ///   - options: the size wanted and the limits.
    ///   - scale: pixels a point of the result.
    ///   - mediaType: what the server called the file, for the words of an error; bytes alone decide.
    ///   - pool: where the memory of the pixels comes from.
    /// - Throws: ``ImageError`` at the stage `decode`.
    public func decode(
        _ data: Data,
        options: DecodeOptions = DecodeOptions(),
        scale: Double = 1,
        mediaType: String? = nil,
        pool: PixelBufferPool = .shared
    ) throws(ImageError) -> DecodedImage {
        do throws(ImageError) {
            let (decoder, info) = try open(data, options: options, mediaType: mediaType)
            try options.cancellation?.check()
            var canvas = try pool.canvas(info.outputLayout)
            guard case .done(let frame) = try decoder.decodeFrame(into: &canvas) else {
                throw ImageError(
                    .truncatedImage,
                    "the file ends before its first picture",
                    advice: "get it again from its source"
                )
            }
            let image = Image(
                pixels: canvas.freeze(alpha: frame.alpha),
                scale: scale,
                format: info.format,
                frameCount: info.frameCount,
                loopCount: info.loopCount
            )
            return DecodedImage(image: image, info: info, damage: frame.damage)
        } catch {
            throw error.locating(stage: .decode)
        }
    }

    /// Reads what a whole file says about itself, without decoding pixels.
    ///
    /// - Throws: ``ImageError`` at the stage `decode`.
    public func info(of data: Data, options: DecodeOptions = DecodeOptions()) throws(ImageError) -> ImageInfo {
        do throws(ImageError) {
            return try open(data, options: options).info
        } catch {
            throw error.locating(stage: .decode)
        }
    }

    func open(
        _ data: Data,
        options: DecodeOptions,
        mediaType: String? = nil
    ) throws(ImageError) -> (decoder: any ImageDecoder, info: ImageInfo) {
        guard let decoder = makeDecoder(forPrefix: data, options: options) else {
            throw UnrecognisedBytes.error(for: data, mediaType: mediaType)
        }
        decoder.append(data, isLast: true)
        guard case .done(let info) = try decoder.readInfo() else {
            throw ImageError(
                .truncatedImage,
                "the \(decoder.format) file ends inside its header",
                advice: "get it again from its source"
            )
        }
        return (decoder, info)
    }
}
