public import FoundationEssentials

/// What went wrong with a picture, where, and what to do about it.
///
/// It is the one error type that Kuva throws. `code` is for programs, `message` says what happened,
/// `advice` says what a person can do, `stage` and `url` say where in the pipeline and with which picture,
/// and `cause` carries the error underneath, if there was one.
///
/// Cancelling is an error too, with the code ``Code/cancelled``, so that every load ends exactly once and in one way.
public struct ImageError: Error, Sendable {
    /// What kind of failure this is; an open set, so always keep a default case.
    public var code: Code { box.code }

    /// What happened, in one sentence without a final full stop.
    public var message: String { box.message }

    /// What the reader can do about it, in one sentence without a final full stop; empty if nothing can be done.
    public var advice: String { box.advice }

    /// The step of the pipeline at which it happened; `nil` outside a pipeline.
    public var stage: Stage? { box.stage }

    /// The picture concerned; `nil` where the failing code does not know it (codecs never do).
    public var url: URL? { box.url }

    /// The HTTP status code that the server answered with, for errors about an answer.
    public var httpStatus: Int? { box.httpStatus }

    /// The error underneath, if another one led to this.
    public var cause: (any Error)? { box.cause }

    /// The place in Kuva's source that made the error, as `Module/File.swift:line`.
    public var location: String { "\(box.fileID):\(box.line)" }

    private var box: Box

    /// Makes an error. Keeps references only; any thread may call it.
    public init(
        _ code: Code,
        _ message: String,
        advice: String = "",
        stage: Stage? = nil,
        url: URL? = nil,
        httpStatus: Int? = nil,
        cause: (any Error)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        box = Box(
            code: code,
            message: message,
            advice: advice,
            stage: stage,
            url: url,
            httpStatus: httpStatus,
            cause: cause,
            fileID: fileID,
            line: line
        )
    }

    /// The same error, with the stage and the picture filled in where they were still unknown.
    ///
    /// Inner layers do not know for whom they work; each outer layer adds what it knows.
    public func locating(stage: Stage? = nil, url: URL? = nil) -> ImageError {
        var copy = self
        copy.box = Box(
            code: box.code,
            message: box.message,
            advice: box.advice,
            stage: box.stage ?? stage,
            url: box.url ?? url,
            httpStatus: box.httpStatus,
            cause: box.cause,
            fileID: box.fileID,
            line: box.line
        )
        return copy
    }

    /// The storage: one reference, so that a throwing function's result stays one word.
    private final class Box: Sendable {
        let code: Code
        let message: String
        let advice: String
        let stage: Stage?
        let url: URL?
        let httpStatus: Int?
        let cause: (any Error)?
        let fileID: StaticString
        let line: UInt

        init(
            code: Code,
            message: String,
            advice: String,
            stage: Stage?,
            url: URL?,
            httpStatus: Int?,
            cause: (any Error)?,
            fileID: StaticString,
            line: UInt
        ) {
            self.code = code
            self.message = message
            self.advice = advice
            self.stage = stage
            self.url = url
            self.httpStatus = httpStatus
            self.cause = cause
            self.fileID = fileID
            self.line = line
        }
    }
}

extension ImageError: CustomStringConvertible {
    /// One line: the picture, without secrets in its URL (``redacted(_:)``), the stage, what happened and what to do.
    public var description: String {
        var text = ""
        if let url { text += "\(Self.redacted(url)): " }
        if let stage { text += "\(stage): " }
        text += message
        if !advice.isEmpty { text += "; \(advice)" }
        return text
    }
}

extension ImageError: CustomDebugStringConvertible {
    /// The description with the code, the source location and the cause, for logs.
    public var debugDescription: String {
        var text = "\(description) [\(code) at \(location)]"
        if let cause { text += " caused by \(cause)" }
        return text
    }
}
