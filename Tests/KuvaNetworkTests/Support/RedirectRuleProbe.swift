import Foundation
import KuvaCore

@testable import KuvaNetwork

/// A redirect rule whose outcomes are codes.
struct RedirectRuleProbe {
    private var rule: RedirectRule
    private let url: URL

    init(_ url: URL, allowsInsecure: Bool) {
        self.url = url
        rule = RedirectRule(from: url, maximumCount: 5, allowsInsecure: allowsInsecure)
    }

    /// The code of the error, if it does not follow.
    mutating func follow(_ location: String) -> ImageError.Code? {
        do throws(ImageError) {
            _ = try rule.follow(location, from: url, status: 302)
            return nil
        } catch {
            return error.code
        }
    }
}
