internal import KuvaCore

extension ImageError {
    static func webpCorrupt(_ reason: String) -> ImageError {
        ImageError(.corruptImage, "the WebP is broken: \(reason)", advice: "get it again from its source")
    }

    static func webpTruncated(_ place: String) -> ImageError {
        ImageError(.truncatedImage, "the WebP ends \(place)", advice: "get it again from its source")
    }
}
