/// What a cache knows a picture by: the picture it comes from, and what was done to it.
///
/// All variants (sizes, transforms) of one original share ``original``, so that they can be found and removed together.
public struct CacheKey: Hashable, Sendable, CustomStringConvertible {
    /// The original picture: its URL as text, unless the request chose otherwise.
    public let original: String
    /// What was done to it, in a canonical text such as `fit300x200`; empty for the original itself.
    public let variant: String

    /// Makes a key.
    public init(original: String, variant: String = "") {
        self.original = original
        self.variant = variant
    }

    /// The key of the picture that this one was made from; itself for an original.
    public var originalKey: CacheKey { variant.isEmpty ? self : CacheKey(original: original) }

    /// How variants name a scale other than 1, such as `@2x`.
    package static func scaleText(_ scale: Double) -> String { "@\(TransformNumber(scale, in: 0...1_000_000).text)x" }

    /// The original, and the variant after a space if there is one.
    public var description: String { variant.isEmpty ? original : "\(original) \(variant)" }
}
