internal import FoundationEssentials
internal import KuvaCore

/// A file whose header has been read, with one picture or several to give, each drawn by its library as it is shown.
protocol SequenceFile: AnyObject {
    /// Reads what the file says about itself, within the limits; pixels are not touched.
    ///
    /// - Returns: `nil` while more bytes are needed for that; never once the input is complete.
    static func open(
        _ input: InputBytes,
        format: ImageFormat,
        options: DecodeOptions
    ) throws(ImageError) -> Self?

    /// As it was when the file was opened; ``frameCount`` may have grown since.
    var info: ImageInfo { get }

    /// Frames found so far, at least one; of a file that is complete, those that can be decoded.
    var frameCount: Int { get }

    /// Whether no further frame will be found.
    var hasAllFrames: Bool { get }

    /// Looks for frames in what has come. Called once after the file is opened, and whenever there is more.
    func update(_ input: InputBytes) throws(ImageError)

    /// What the file says about a frame, which must be less than ``frameCount``.
    func frame(at index: Int) -> AnimationFrame

    /// Decodes a frame, or goes on where the bytes ran out. `input` is what ``open(_:format:options:)`` got or more of it;
    /// `canvas` has the layout of ``info``.
    ///
    /// - Returns: `nil` while more bytes are needed; never once the input is complete.
    func decode(
        _ index: Int,
        _ input: InputBytes,
        into canvas: inout PixelCanvas
    ) throws(ImageError) -> FrameInfo?
}

/// The decoder contracts around a ``SequenceFile``: bytes in, errors that stay, any frame.
final class SequenceDecoder<File: SequenceFile>: AnimationDecoder {
    let format: ImageFormat
    private let options: DecodeOptions
    private var input = InputBytes()
    private var info: ImageInfo?
    /// Open from the header on; of a still picture, to the end of it.
    private var file: File?
    private var hasNews = false
    private var nextFrame = 0
    private var lastingError = LastingError()

    init(format: ImageFormat, options: DecodeOptions) {
        self.format = format
        self.options = options
    }

    func append(_ bytes: Data, isLast: Bool) {
        input.append(bytes, isLast: isLast)
        hasNews = true
    }

    func readInfo() throws(ImageError) -> DecoderStep<ImageInfo> {
        try lastingError.run { () throws(ImageError) in
            if info == nil { file = try File.open(input, format: format, options: options) }
            guard var found = info ?? file?.info else { return .needsMoreBytes }
            if let file {
                if hasNews { try file.update(input) }
                hasNews = false
                // What the header claims counts from the start.
                found.frameCount = max(found.frameCount, file.frameCount)
            }
            info = found
            return .done(found)
        } abandon: {
            file = nil
        }
    }

    var frameCount: Int { file?.frameCount ?? 1 }

    var hasAllFrames: Bool { file?.hasAllFrames ?? true }

    func frame(at index: Int) -> AnimationFrame {
        file?.frame(at: index) ?? AnimationFrame(duration: nil, isWhole: true)
    }

    func seek(toFrame index: Int) { nextFrame = max(0, index) }

    func decodeFrame(into canvas: inout PixelCanvas) throws(ImageError) -> DecoderStep<FrameInfo> {
        guard case .done(let info) = try readInfo() else { return .needsMoreBytes }
        guard let file else { return .end }
        guard nextFrame < file.frameCount else { return file.hasAllFrames ? .end : .needsMoreBytes }
        try canvas.checkLayout(info.outputLayout)
        return try options.timing { () throws(ImageError) in
            try lastingError.run { () throws(ImageError) in
                try options.checkpoint()
                guard var frame = try file.decode(nextFrame, input, into: &canvas) else { return .needsMoreBytes }
                frame.duration = file.frame(at: nextFrame).duration ?? .zero
                nextFrame += 1
                if file.hasAllFrames, file.frameCount < 2 { self.file = nil }
                return .done(frame)
            } abandon: {
                self.file = nil
            }
        }
    }
}
