internal import FoundationEssentials
internal import KuvaCore

/// A file whose header has been read, with one picture to give.
protocol PictureFile: AnyObject {
    /// Reads what the file says about itself, within the limits; pixels are not touched.
    ///
    /// - Returns: `nil` while more bytes are needed for that; never once the input is complete.
    static func open(
        _ input: InputBytes,
        format: ImageFormat,
        options: DecodeOptions
    ) throws(ImageError) -> Self?

    var info: ImageInfo { get }

    /// Decodes the picture, or goes on where the bytes ran out. `input` is what ``open(_:format:options:)`` got or more
    /// of it; `canvas` has the layout of ``info``.
    ///
    /// - Returns: `nil` while more bytes are needed; never once the input is complete.
    func decode(_ input: InputBytes, into canvas: inout PixelCanvas) throws(ImageError) -> FrameInfo?
}

/// The decoder contract around a ``PictureFile``: bytes in, errors that stay, one frame, then the end.
final class PictureDecoder<File: PictureFile>: ImageDecoder {
    let format: ImageFormat
    private let options: DecodeOptions
    private var input = InputBytes()
    private var info: ImageInfo?
    /// Open from the header to the end of the frame.
    private var file: File?
    private var failure: ImageError?

    init(format: ImageFormat, options: DecodeOptions) {
        self.format = format
        self.options = options
    }

    func append(_ bytes: Data, isLast: Bool) { input.append(bytes, isLast: isLast) }

    func readInfo() throws(ImageError) -> DecoderStep<ImageInfo> {
        try sticky { () throws(ImageError) in
            if let info { return .done(info) }
            guard let file = try File.open(input, format: format, options: options) else { return .needsMoreBytes }
            (self.file, info) = (file, file.info)
            return .done(file.info)
        }
    }

    func decodeFrame(into canvas: inout PixelCanvas) throws(ImageError) -> DecoderStep<FrameInfo> {
        guard case .done(let info) = try readInfo() else { return .needsMoreBytes }
        guard let file else { return .end }
        try canvas.checkLayout(info.outputLayout)
        return try sticky { () throws(ImageError) in
            try options.cancellation?.check()
            guard let frame = try file.decode(input, into: &canvas) else { return .needsMoreBytes }
            self.file = nil
            return .done(frame)
        }
    }

    private func sticky<R>(_ body: () throws(ImageError) -> R) throws(ImageError) -> R {
        if let failure { throw failure }
        do throws(ImageError) {
            return try body()
        } catch {
            failure = error
            file = nil
            throw error
        }
    }
}
