internal import KuvaCore

/// Errors about what a server answered.
enum AnswerErrors {
    static func status(_ status: Int, mediaType: String?) -> ImageError {
        let claim = mediaType.map { " with \($0)" } ?? ""
        return ImageError(
            .httpStatus,
            "the server answered \(status)\(name(status).map { " (\($0))" } ?? "")\(claim)",
            advice: advice(status),
            httpStatus: status,
            contentType: mediaType
        )
    }

    static func contentType(_ type: String?, status: Int) -> ImageError {
        ImageError(
            .contentType,
            type.map { "the server sent \($0), which is not accepted" } ?? "the server did not say what it sent",
            advice: "add the type to acceptableContentTypes, or check the address",
            httpStatus: status,
            contentType: type
        )
    }

    static func refused(_ error: any Error, status: Int) -> ImageError {
        if let error = error as? ImageError { return error }
        return ImageError(
            .responseRefused,
            "the response modifier refused the answer: \(error)",
            advice: "check what the server answers, or change the modifier",
            httpStatus: status,
            cause: error
        )
    }

    static func bodyTooLarge(limit: Int64, length: Int64?) -> ImageError {
        let size =
            length.map { "is \($0) bytes long, more than the \(limit) allowed" } ?? "is longer than \(limit) bytes"
        return ImageError(
            .bodyTooLarge,
            "the body \(size)",
            advice: "raise maximumBodyByteCount in the configuration if you trust the server"
        )
    }

    static func headerTooLarge(limit: Int) -> ImageError {
        ImageError(
            .headerTooLarge,
            "the header of the answer is longer than \(limit) bytes",
            advice: "raise maximumHeaderByteCount in the configuration if you trust the server"
        )
    }

    static func emptyBody(status: Int) -> ImageError {
        ImageError(
            .emptyBody,
            "the server answered \(status) without any bytes",
            advice: "check that the address is that of a picture",
            httpStatus: status
        )
    }

    static func outOfMemory(_ byteCount: Int64) -> ImageError {
        ImageError(
            .outOfMemory,
            "the system gave no memory for a body after \(byteCount) bytes",
            advice: "lower maximumBodyByteCount or the memory limits of the caches"
        )
    }

    private static func name(_ status: Int) -> String? {
        switch status {
        case 206: "part of the whole, which was not asked for"
        case 304: "not modified, which was not asked for"
        case 400: "bad request"
        case 401: "login required"
        case 403: "forbidden"
        case 404: "not found"
        case 407: "proxy login required"
        case 408: "request timed out"
        case 410: "gone"
        case 429: "too many requests"
        case 451: "unavailable for legal reasons"
        case 500: "internal server error"
        case 502: "bad gateway"
        case 503: "service unavailable"
        case 504: "gateway timed out"
        default: nil
        }
    }

    private static func advice(_ status: Int) -> String {
        switch status {
        case 401, 403, 407: "give credentials, or check that the picture is public"
        case 404, 410: "check the address: the picture may have moved or be gone"
        case 408, 429, 502...504: "try again later"
        case 500..<600: "try again later, or tell the server's owner"
        default: "open the address in a browser to see what the server wants"
        }
    }
}
