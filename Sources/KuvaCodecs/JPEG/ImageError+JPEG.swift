internal import KuvaCore

extension ImageError {
    static func jpegCorrupt(_ reason: String) -> ImageError {
        ImageError(.corruptImage, "the JPEG is broken: \(reason)", advice: "get it again from its source")
    }

    static func jpegUnsupported(_ reason: String) -> ImageError {
        ImageError(
            .unsupportedFormat,
            "the JPEG is of a kind that is not read: \(reason)",
            advice: "convert it to an ordinary JPEG of 8 bits"
        )
    }

    static func jpegTruncated(_ place: String) -> ImageError {
        ImageError(.truncatedImage, "the JPEG ends \(place)", advice: "get it again from its source")
    }
}
