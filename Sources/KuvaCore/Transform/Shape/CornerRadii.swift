/// The radii of the four corners of a rectangle in pixels, each rounded to a thousandth and cut to 0...65,535.
public struct CornerRadii: Hashable, Sendable {
    private let numbers: [TransformNumber]

    /// A radius for each corner, clockwise from the top left.
    public init(topLeft: Double = 0, topRight: Double = 0, bottomRight: Double = 0, bottomLeft: Double = 0) {
        numbers = [topLeft, topRight, bottomRight, bottomLeft].map { TransformNumber($0, in: 0...65_535) }
    }

    /// One radius for all corners.
    public init(_ radius: Double) {
        self.init(topLeft: radius, topRight: radius, bottomRight: radius, bottomLeft: radius)
    }

    /// `12`, or `12/0/0/12` where they differ.
    var text: String {
        let texts = numbers.map(\.text)
        return Set(texts).count == 1 ? texts[0] : texts.joined(separator: "/")
    }

    /// The radii for a rectangle, clockwise from the top left: where neighbours overlap, all shrink by one factor
    /// (CSS Backgrounds and Borders Level 3 §4.5).
    func fitted(to size: PixelSize) throws(ImageError) -> [Double] {
        var radii: [Double] = []
        for number in numbers { radii.append(try number.checked("radius")) }
        var factor = 1.0
        for (index, side) in [size.width, size.height, size.width, size.height].enumerated() {
            let sum = radii[index] + radii[(index + 1) % 4]
            if sum > Double(side) { factor = min(factor, Double(side) / sum) }
        }
        return radii.map { $0 * factor }
    }
}
