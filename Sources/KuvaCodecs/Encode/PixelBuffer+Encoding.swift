internal import KuvaCore

extension PixelBuffer {
    /// - Throws: ``ImageError`` with the code `unsupported-format` unless the pixels are RGBA8, premultiplied or opaque,
    ///   and `limit-exceeded` for a side longer than the format allows.
    func check(for format: ImageFormat, maximumSide: Int) throws(ImageError) {
        guard layout.format == .rgba8, layout.alpha != .straight else {
            throw ImageError(
                .unsupportedFormat,
                "the \(format) encoder does not take \(layout.format) pixels with \(layout.alpha) alpha",
                advice: "give it premultiplied or opaque RGBA8"
            )
        }
        try layout.size.check(for: format, maximumSide: maximumSide)
    }

    /// The error for an encoder that got no memory.
    static func outOfMemory(_ format: ImageFormat) -> ImageError {
        ImageError(
            .outOfMemory,
            "the system did not give the memory to write a \(format)",
            advice: "write a smaller picture"
        )
    }
}

extension PixelSize {
    /// - Throws: ``ImageError`` with the code `limit-exceeded` for a side longer than the format allows, or none.
    func check(for format: ImageFormat, maximumSide: Int) throws(ImageError) {
        guard !isEmpty, width <= maximumSide, height <= maximumSide else {
            throw ImageError(
                .limitExceeded,
                "\(format) cannot hold \(self) pixels: a side has 1 to \(maximumSide)",
                advice: "write a smaller picture, or another format"
            )
        }
    }
}
