internal import FoundationEssentials
internal import KuvaCore

/// One load as HTTP sees it, redirects included: decides what each header line, each run of bytes and the end mean.
///
/// A value without I/O: the driver of a transfer tells it what comes and does what it says.
struct Exchange: Sendable {
    struct Rules: Sendable {
        var maximumBodyByteCount: Int64
        var maximumHeaderByteCount: Int
        var maximumRedirectCount: Int
    }

    /// What to do with bytes of the body.
    enum BodyVerdict: Equatable {
        case keep
        case drop
        case stop
    }

    /// How one answer ended.
    enum Ending {
        case redirect(URL)
        case finished(StoredResponse)
        case failed(ImageError)
    }

    private enum Fate {
        case undecided
        case receives
        case redirects(URL)
        case fails(ImageError)
    }

    /// A body that nobody wants is read to its end, to keep the connection, as long as it is not longer than this.
    private static let maximumUnwantedByteCount = 64 << 10

    /// Where the request goes now.
    private(set) var url: URL
    /// Bytes of the body that were kept.
    private(set) var receivedByteCount: Int64 = 0

    private let rules: Rules
    private var redirects: RedirectRule
    private var head = ResponseHead()
    private var fate = Fate.undecided
    private var unwantedByteCount = 0
    private var requestTime: Date
    private var responseTime: Date

    init(url: URL, rules: Rules, at time: Date) {
        self.url = url
        self.rules = rules
        redirects = RedirectRule(from: url, maximumCount: rules.maximumRedirectCount)
        requestTime = time
        responseTime = time
    }

    /// The length of the body that is being received, if it is known.
    var expectedByteCount: Int64? {
        guard case .receives = fate else { return nil }
        return head.contentLength
    }

    /// The request goes out to where the redirect led.
    mutating func redirected(to url: URL, at time: Date) {
        self.url = url
        head = ResponseHead()
        fate = .undecided
        unwantedByteCount = 0
        requestTime = time
    }

    /// A header line has come. Returns whether to go on.
    mutating func receive(headerLine: UnsafeRawBufferPointer, now: () -> Date) -> Bool {
        let line = head.take(headerLine)
        guard head.byteCount <= rules.maximumHeaderByteCount else {
            fate = .fails(AnswerErrors.headerTooLarge(limit: rules.maximumHeaderByteCount))
            return false
        }
        guard line == .end else { return true }
        responseTime = now()
        fate = decide()
        if case .fails(let error) = fate, error.code == .bodyTooLarge { return false }
        return true
    }

    /// Bytes of the body have come.
    mutating func receive(bodyByteCount count: Int) -> BodyVerdict {
        switch fate {
        case .receives:
            guard Int64(count) <= rules.maximumBodyByteCount - receivedByteCount else {
                fate = .fails(AnswerErrors.bodyTooLarge(limit: rules.maximumBodyByteCount, length: nil))
                return .stop
            }
            receivedByteCount += Int64(count)
            return .keep
        case .redirects, .fails:
            unwantedByteCount += count
            return unwantedByteCount <= Self.maximumUnwantedByteCount ? .drop : .stop
        case .undecided:
            return .stop
        }
    }

    /// The bytes could not be kept.
    mutating func memoryRanOut() {
        fate = .fails(AnswerErrors.outOfMemory(receivedByteCount))
    }

    /// The answer has ended, with or without a failure underneath.
    func ended(_ failure: CurlFailure?) -> Ending {
        switch fate {
        case .fails(let error): return .failed(error)
        case .redirects(let target): return .redirect(target)
        case .undecided:
            return .failed(TransferErrors.error(for: failure ?? CurlFailure(.noAnswer), url: url))
        case .receives:
            if let failure {
                return .failed(
                    TransferErrors.error(
                        for: failure,
                        url: url,
                        received: receivedByteCount,
                        expected: expectedByteCount
                    )
                )
            }
            guard receivedByteCount > 0 else { return .failed(AnswerErrors.emptyBody(status: head.status)) }
            return .finished(
                StoredResponse(
                    url: url,
                    status: head.status,
                    fields: head.fields,
                    requestTime: requestTime,
                    responseTime: responseTime
                )
            )
        }
    }

    private mutating func decide() -> Fate {
        if RedirectRule.isRedirect(head.status), let location = head.fields["Location"] {
            do throws(ImageError) {
                return .redirects(try redirects.follow(location, from: url, status: head.status))
            } catch {
                return .fails(error)
            }
        }
        // A part (206) of something that was asked for as a whole is no picture.
        guard (200..<300).contains(head.status), head.status != 206 else {
            return .fails(AnswerErrors.status(head.status, mediaType: head.fields["Content-Type"]))
        }
        switch head.transferLength {
        case .bytes(let length) where length > rules.maximumBodyByteCount:
            return .fails(AnswerErrors.bodyTooLarge(limit: rules.maximumBodyByteCount, length: length))
        case .uncountable:
            return .fails(AnswerErrors.bodyTooLarge(limit: rules.maximumBodyByteCount, length: nil))
        default:
            return .receives
        }
    }
}
