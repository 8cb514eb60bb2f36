internal import KuvaCore

extension ImageError {
    /// - Parameter kind: the file's format with its article, such as `the BMP`.
    static func corrupt(_ kind: String, _ reason: String) -> ImageError {
        ImageError(.corruptImage, "\(kind) is broken: \(reason)", advice: "get it again from its source")
    }

    /// - Parameter place: where the file ends, such as `after 3 of 8 rows`.
    static func truncated(_ kind: String, _ place: String) -> ImageError {
        ImageError(.truncatedImage, "\(kind) ends \(place)", advice: "get it again from its source")
    }

    static func unsupported(_ kind: String, _ reason: String) -> ImageError {
        ImageError(
            .unsupportedFormat,
            "\(kind) is of a kind that is not read: \(reason)",
            advice: "convert it to an ordinary one or to PNG"
        )
    }

    /// - Parameter kind: the file's format with its article, such as `an AVIF`.
    static func noMemory(toDecode kind: String) -> ImageError {
        ImageError(
            .outOfMemory,
            "the system did not give the memory to decode \(kind)",
            advice: "ask for a smaller size, or lower the memory limits of the caches"
        )
    }
}

extension DecodeLimits {
    /// Checks a picture whose library holds all of it in memory: its stored pixels count as decoded ones, whatever
    /// size is wanted.
    func check(heldWhole size: PixelSize, _ kind: String) throws(ImageError) {
        try check(source: size)
        guard let count = size.pixelCount, count <= maximumOutputPixels else {
            throw DecodeLimits.exceeded(
                "\(kind) is held whole, and one of \(size) pixels has more than \(maximumOutputPixels)",
                "maximumOutputPixels"
            )
        }
    }
}
