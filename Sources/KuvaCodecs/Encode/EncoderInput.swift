internal import FoundationEssentials
internal import KuvaCore

/// A picture on its way into a C library: what the encoders do before and after the library's own work.
struct EncoderInput {
    /// What becomes of alpha.
    enum Alpha {
        /// The file has it, independent of colour.
        case straight
        /// The picture is laid over the background that the options have.
        case none
    }

    /// How a library ended.
    enum Outcome {
        case written
        case noMemory
        case failed(ImageError)
    }

    /// What the library gets: straight or opaque.
    let pixels: PixelBuffer
    private let format: ImageFormat
    private let cancellation: CancellationFlag?

    /// - Throws: `cancelled`; `unsupported-format` and `limit-exceeded` as ``PixelBuffer/check(for:maximumSide:)``;
    ///   `out-of-memory`.
    init(
        _ pixels: PixelBuffer,
        as format: ImageFormat,
        maximumSide: Int,
        alpha: Alpha,
        options: EncodeOptions
    ) throws(ImageError) {
        try options.cancellation?.check()
        try pixels.check(for: format, maximumSide: maximumSide)
        switch alpha {
        case .straight: self.pixels = try pixels.straightened()
        case .none: self.pixels = try pixels.flattened(over: options.background)
        }
        self.format = format
        cancellation = options.cancellation
    }

    var width: UInt32 { UInt32(pixels.layout.width) }
    var height: UInt32 { UInt32(pixels.layout.height) }
    var bytesPerRow: Int { pixels.layout.bytesPerRow }
    var isOpaque: Bool { pixels.layout.alpha == .opaque }

    /// Lets a library make the file in memory of its own.
    ///
    /// - Parameters:
    ///   - free: gives the library's memory back, `nil` included.
    ///   - write: gets the rows, and says where the library has put the file.
    /// - Throws: `cancelled` if the flag was raised meanwhile, `out-of-memory`, or what `write` failed with.
    func file(
        freedBy free: (UnsafeMutablePointer<UInt8>?) -> Void,
        _ write: (
            _ rows: UnsafePointer<UInt8>?, _ file: inout UnsafeMutablePointer<UInt8>?, _ count: inout Int
        ) -> Outcome
    ) throws(ImageError) -> Data {
        var file: UnsafeMutablePointer<UInt8>?
        var count = 0
        defer { free(file) }
        let outcome = pixels.withUnsafeBytes { bytes in
            write(bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), &file, &count)
        }
        try cancellation?.check()
        switch outcome {
        case .written: if let file { return Data(bytes: file, count: count) }
        case .noMemory: break
        case .failed(let error): throw error
        }
        throw PixelBuffer.outOfMemory(format)
    }

    /// The error for a library that does not write the picture.
    ///
    /// - Parameter detail: the library's words for it, if it has any.
    func refused(by library: String, _ detail: String = "") -> ImageError {
        let reason = detail.isEmpty ? "" : " (\(detail))"
        return ImageError(
            .limitExceeded,
            "\(library) cannot write a picture of \(pixels.layout.size) pixels\(reason)",
            advice: "write a smaller picture, or another format"
        )
    }
}

extension EncodeOptions {
    /// The quality from 0 to 100, as libraries count it.
    var percentage: Int32 { Int32((min(1, max(0, quality)) * 100).rounded()) }
}
