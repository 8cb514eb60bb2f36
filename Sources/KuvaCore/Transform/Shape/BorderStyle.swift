/// How a border looks.
public struct BorderStyle: Hashable, Sendable {
    private let thickness: TransformNumber
    /// The colour; where it is not opaque the picture shines through.
    public let color: Color

    /// Makes a border.
    ///
    /// - Parameter width: pixels, rounded to a thousandth and cut to 0...65,535.
    public init(width: Double, color: Color) {
        thickness = TransformNumber(width, in: 0...65_535)
        self.color = color
    }

    /// Pixels.
    public var width: Double { thickness.value }

    /// `border=4:#ff0000`, a part of keys.
    var text: String { "border=\(thickness.text):\(color)" }

    func checkedWidth() throws(ImageError) -> Double { try thickness.checked("border's width") }
}
