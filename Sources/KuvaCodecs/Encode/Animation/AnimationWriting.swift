internal import FoundationEssentials
internal import KuvaCore

/// What one format does with the frames; ``AnimationSession`` checks what comes in and keeps errors.
protocol AnimationFileWriter {
    /// Takes a frame that has been checked.
    mutating func write(_ frame: PixelBuffer, duration: Duration) throws(ImageError)
    /// Ends the file, which has a frame.
    mutating func finish() throws(ImageError) -> Data
}

/// The contract of ``AnimationWriter`` around the writer of a format.
final class AnimationSession<Writer: AnimationFileWriter>: AnimationWriter {
    private let format: ImageFormat
    private let size: PixelSize
    private let cancellation: CancellationFlag?
    private var writer: Writer
    private var frameCount = 0
    private var lastingError = LastingError()

    init(_ writer: Writer, format: ImageFormat, size: PixelSize, options: EncodeOptions) {
        (self.writer, self.format, self.size, cancellation) = (writer, format, size, options.cancellation)
    }

    func append(_ frame: PixelBuffer, duration: Duration) throws(ImageError) {
        try lastingError.run { () throws(ImageError) in
            try cancellation?.check()
            try frame.check(for: format, maximumSide: .max)
            guard frame.layout.size == size else {
                throw ImageError(
                    .invalidConfiguration,
                    "a frame of \(frame.layout.size) pixels does not fit an animation of \(size)",
                    advice: "scale all frames to one size"
                )
            }
            try writer.write(frame, duration: max(.zero, duration))
            frameCount += 1
        }
    }

    func finish() throws(ImageError) -> Data {
        try lastingError.run { () throws(ImageError) in
            try cancellation?.check()
            guard frameCount > 0 else {
                throw ImageError(
                    .invalidConfiguration,
                    "an animation without frames cannot be written as \(format)",
                    advice: "append a frame first"
                )
            }
            return try writer.finish()
        }
    }
}
