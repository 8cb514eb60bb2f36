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
        var allowsInsecureRedirects = false
        /// `nil` for any.
        var acceptableStatuses: Set<Int>?
        /// `nil` for any.
        var acceptableContentTypes: Set<String>?
        var modifier: ResponseModifier?
        /// The header fields that the caller chose, for what `Vary` names.
        var selecting = HTTPFields()
        var method = "GET"
        /// What the caller has, if the request asks for news only.
        var known: StoredResponse?
        /// What was there of the body before, if the request asks for the rest only.
        var partial: PartialBody?
    }

    /// What to do with bytes of the body.
    enum BodyVerdict: Equatable {
        case keep
        case drop
        case stop
    }

    /// How one answer ended; responses are without what is never kept of them.
    enum Ending {
        case redirect(URL)
        case finished(StoredResponse)
        /// What the caller has is good; with what the server said merged in.
        case notModified(StoredResponse)
        /// The answer is about something else than what was there before: ask for the whole.
        case startOver
        case failed(ImageError)
    }

    private enum Fate {
        case undecided
        case receives
        case confirms(StoredResponse)
        case redirects(URL)
        case startsOver
        case fails(ImageError)
    }

    /// A body that nobody wants is read to its end, to keep the connection, as long as it is not longer than this.
    private static let maximumUnwantedByteCount = 64 << 10

    /// Where the request goes now.
    private(set) var url: URL
    /// The method of the request now; redirects may change it.
    private(set) var method: String
    /// Bytes of the body that were kept, those that were there before included.
    private(set) var receivedByteCount: Int64 = 0
    private(set) var redirectCount = 0

    private let rules: Rules
    private var redirects: RedirectRule
    private var head = ResponseHead()
    private var fate = Fate.undecided
    private var range: ContentRange?
    private var modified: StoredResponse?
    private var unwantedByteCount = 0
    private var requestTime: Date
    private var responseTime: Date

    init(url: URL, rules: Rules, at time: Date) {
        self.url = url
        self.rules = rules
        method = rules.method
        redirects = RedirectRule(
            from: url,
            maximumCount: rules.maximumRedirectCount,
            allowsInsecure: rules.allowsInsecureRedirects
        )
        requestTime = time
        responseTime = time
    }

    /// Whether the answer's body is being taken.
    var isReceiving: Bool {
        guard case .receives = fate else { return false }
        return true
    }

    /// Whether the head of the answer has ended, and the answer is none of those that lead to another request.
    var isDecided: Bool { head.isEnded }

    /// The length of the whole body that is being received, if it is known.
    var expectedByteCount: Int64? {
        guard isReceiving else { return nil }
        if let range { return range.total ?? rules.partial?.origin.totalByteCount ?? range.last + 1 }
        return head.contentLength
    }

    /// The bytes that were there before, once the server goes on from them.
    var resumedBytes: Data? { range == nil ? nil : rules.partial?.bytes }

    /// What `Vary` names, once the head has ended; `nil` if it names nothing.
    var varyNames: Set<String>? {
        guard head.hasVary || modified != nil else { return nil }
        return response.varyNames
    }

    /// What a later request could resume by, if this one breaks now.
    var resumeOrigin: PartialBody.Origin? {
        guard isReceiving, method == "GET", receivedByteCount > 0 else { return nil }
        if let expectedByteCount, receivedByteCount >= expectedByteCount { return nil }
        return PartialBody.Origin(
            status: head.status,
            fields: head.fields,
            totalByteCount: expectedByteCount,
            isCoded: head.isCoded
        )
    }

    /// How long the server asks to wait before the next attempt (RFC 9110 §10.2.3), in seconds.
    var retryAfter: Double? {
        guard let value = head.first("Retry-After") else { return nil }
        if !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return Int64(value).map(Double.init) ?? .infinity
        }
        return HTTPDate.parse(value, now: responseTime).map { max(0, $0.timeIntervalSince(responseTime)) }
    }

    /// The request goes out to where the redirect led.
    mutating func redirected(to url: URL, at time: Date) {
        // RFC 9110 §15.4.2 to §15.4.4: a form that was sent is not sent again.
        if head.status == 303 && method != "HEAD" || [301, 302].contains(head.status) && method == "POST" {
            method = "GET"
        }
        self.url = url
        redirectCount += 1
        head.reset()
        fate = .undecided
        unwantedByteCount = 0
        requestTime = time
    }

    /// A header line has come. Returns whether to go on.
    mutating func receive(headerLine: UnsafeRawBufferPointer, now: () -> Date) -> Bool {
        let wasEnded = head.isEnded
        let line = head.take(headerLine)
        if wasEnded, !head.isEnded {
            // Another answer to the same request: the first one asked who we are.
            fate = .undecided
            unwantedByteCount = 0
        }
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
        case .redirects, .fails, .startsOver, .confirms:
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

    /// The answer has ended, with or without a failure underneath. Mutating only so that nobody copies the exchange.
    mutating func ended(_ failure: CurlFailure?) -> Ending {
        switch fate {
        case .fails(let error): return .failed(error)
        case .redirects(let target): return .redirect(target)
        case .startsOver: return .startOver
        case .confirms(let response): return .notModified(response.storable)
        case .undecided:
            return .failed(TransferErrors.error(for: failure ?? CurlFailure(.noAnswer), url: url))
        case .receives:
            // A part may be shorter than it says without curl minding, if it comes in chunks.
            let failure = failure ?? (isShort ? CurlFailure(.connectionLost) : nil)
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
            return .finished(modified == nil && !head.hasHopFields ? response : response.storable)
        }
    }

    private var isShort: Bool { range.map { receivedByteCount != $0.last + 1 } ?? false }

    /// What the server said, as it is kept.
    private var response: StoredResponse {
        if let modified { return modified }
        var response = StoredResponse(
            url: url,
            status: head.status,
            fields: head.fields,
            requestTime: requestTime,
            responseTime: responseTime
        )
        if range != nil {
            // What is kept is the whole (RFC 9111 §3.4).
            response.status = 200
            response.fields["Content-Range"] = nil
            response.fields["Content-Length"] = expectedByteCount.map { "\($0)" }
        }
        if !rules.selecting.isEmpty { response.selectingFields = response.selected(from: rules.selecting) }
        return response
    }

    private mutating func decide() -> Fate {
        if RedirectRule.isRedirect(head.status), let location = head.first("Location") {
            do throws(ImageError) {
                return .redirects(try redirects.follow(location, from: url, status: head.status))
            } catch {
                return .fails(error)
            }
        }
        modified = nil
        range = nil
        if let partial = rules.partial {
            if let fate = decide(about: partial) { return fate }
        }
        if let modifier = rules.modifier {
            do {
                modified = try modifier.modified(response)
            } catch {
                return .fails(AnswerErrors.refused(error, status: head.status))
            }
        }
        let status = range == nil ? modified?.status ?? head.status : modified?.status ?? 200
        if status == 304, let known = rules.known {
            return known.isConfirmed(by: response) ? .confirms(known.updated(by: response)) : .startsOver
        }
        return judge(status)
    }

    /// Whether the answer goes on where the part that was there ends; `nil` to judge it as any other.
    private mutating func decide(about partial: PartialBody) -> Fate? {
        switch head.status {
        case 206:
            guard let range = ContentRange(head.first("Content-Range")), !head.isCoded,
                range.continues(at: partial.bytes.count, of: partial.origin.totalByteCount),
                Self.isSame(partial.origin, head)
            else { return .startsOver }
            self.range = range
            receivedByteCount = Int64(partial.bytes.count)
            return nil
        case 416: return .startsOver
        default:
            receivedByteCount = 0
            return nil
        }
    }

    /// A 206 must be about the same representation (RFC 9110 §15.3.7.3).
    private static func isSame(_ origin: PartialBody.Origin, _ head: ResponseHead) -> Bool {
        guard origin.validator.hasPrefix("\""), let tag = head.first("ETag") else { return true }
        return tag == origin.validator
    }

    private func judge(_ status: Int) -> Fate {
        // A part (206) of something that was asked for as a whole is no picture.
        let isAccepted = rules.acceptableStatuses?.contains(status) ?? (200..<300).contains(status)
        guard isAccepted, status != 206, status != 304 else {
            let mediaType = modified?.fields["Content-Type"] ?? head.first("Content-Type")
            return .fails(AnswerErrors.status(status, mediaType: mediaType))
        }
        if let types = rules.acceptableContentTypes {
            let type = response.mediaType
            guard let type, types.contains(type) else { return .fails(AnswerErrors.contentType(type, status: status)) }
        }
        switch head.transferLength {
        case .bytes(let length) where length > rules.maximumBodyByteCount - receivedByteCount:
            return .fails(AnswerErrors.bodyTooLarge(limit: rules.maximumBodyByteCount, length: length))
        case .uncountable:
            return .fails(AnswerErrors.bodyTooLarge(limit: rules.maximumBodyByteCount, length: nil))
        default:
            return .receives
        }
    }
}
