internal import Glibc

/// The waves of a cosine transform, `cos(π · frequency · (place + shift) / length)`.
struct Cosines {
    private let values: [Double]
    private let length: Int

    init(frequencies: Int, length: Int, shift: Double = 0) {
        self.length = length
        values = (0..<frequencies).flatMap { frequency in
            (0..<length).map { cos(.pi * Double(frequency) * (Double($0) + shift) / Double(length)) }
        }
    }

    subscript(frequency: Int, place: Int) -> Double { values[frequency * length + place] }
}
