/// A number that a transformer was given, as its key and its work see it: rounded to a thousandth and cut to a range, so
/// that numbers that look the same are the same and keys hold no noise. What is not a number stays that, until
/// ``checked(_:)``.
struct TransformNumber: Hashable, Sendable {
    private let thousandths: Int?

    init(_ value: Double, in range: ClosedRange<Double>) {
        let cut = max(range.lowerBound, min(range.upperBound, value))
        thousandths = value.isNaN ? nil : Int((cut * 1000).rounded())
    }

    /// The number; NaN where none was given.
    var value: Double { thousandths.map { Double($0) / 1000 } ?? .nan }

    /// The shortest decimal, such as `12` or `-0.25`.
    var text: String {
        guard let thousandths else { return "nan" }
        let (whole, fraction) = (thousandths.magnitude / 1000, thousandths.magnitude % 1000)
        var text = "\(thousandths < 0 ? "-" : "")\(whole)"
        guard fraction > 0 else { return text }
        let digits = String(fraction + 1000).dropFirst()
        text +=
            "."
            + digits.prefix(
                digits.lastIndex { $0 != "0" }.map { digits.distance(from: digits.startIndex, to: $0) + 1 } ?? 0
            )
        return text
    }

    /// The number.
    ///
    /// - Throws: ``ImageError`` with the code `invalid-configuration` if none was given.
    func checked(_ name: String) throws(ImageError) -> Double {
        guard thousandths != nil else {
            throw ImageError(
                .invalidConfiguration,
                "the \(name) of a transformer is not a number",
                advice: "check the division or root that it comes from",
                stage: .transform
            )
        }
        return value
    }
}
