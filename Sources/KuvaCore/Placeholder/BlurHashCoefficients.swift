/// What a BlurHash holds: for each pair of frequencies, row by row, the strengths in linear red, green and blue.
struct BlurHashCoefficients {
    let columns: Int
    let rows: Int
    private(set) var values: [[Double]]
}

// MARK: From and to pixels

extension BlurHashCoefficients {
    init(of pixels: SmallPixels, columns: Int, rows: Int) {
        let (width, height) = (pixels.size.width, pixels.size.height)
        let (across, down) = (
            Cosines(frequencies: columns, length: width), Cosines(frequencies: rows, length: height)
        )
        var sums = [Double](repeating: 0, count: columns * rows * 3)
        for y in 0..<height {
            var line = [Double](repeating: 0, count: columns * 3)
            for x in 0..<width {
                let offset = (y * width + x) * 4
                let white = 255 - Int(pixels.bytes[offset + 3])
                for channel in 0..<3 {
                    let light = SRGB.linear[min(255, Int(pixels.bytes[offset + channel]) + white)]
                    for column in 0..<columns { line[column * 3 + channel] += light * across[column, x] }
                }
            }
            for row in 0..<rows {
                for index in 0..<(columns * 3) { sums[row * columns * 3 + index] += line[index] * down[row, y] }
            }
        }
        let scale = 1 / Double(width * height)
        self.columns = columns
        self.rows = rows
        values = (0..<(columns * rows)).map { index in
            sums[(index * 3)..<(index * 3 + 3)].map { $0 * scale * (index == 0 ? 1 : 2) }
        }
    }

    func image(_ size: PixelSize, pool: PixelBufferPool) throws(ImageError) -> Image {
        let across = Cosines(frequencies: columns, length: size.width)
        let down = Cosines(frequencies: rows, length: size.height)
        let flat = values.flatMap { $0 }
        var canvas = try pool.canvas(PixelLayout(size: size))
        let bytesPerRow = canvas.layout.bytesPerRow
        canvas.withUnsafeMutableBytes { bytes in
            for y in 0..<size.height {
                var line = [Double](repeating: 0, count: columns * 3)
                for row in 0..<rows {
                    for index in 0..<(columns * 3) { line[index] += flat[row * columns * 3 + index] * down[row, y] }
                }
                for x in 0..<size.width {
                    let offset = y * bytesPerRow + x * 4
                    for channel in 0..<3 {
                        var light = 0.0
                        for column in 0..<columns { light += line[column * 3 + channel] * across[column, x] }
                        bytes[offset + channel] = SRGB.encode(light)
                    }
                    bytes[offset + 3] = 255
                }
            }
        }
        return Image(pixels: canvas.freeze(alpha: .opaque))
    }
}

// MARK: From and to text

extension BlurHashCoefficients {
    private static let digits = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~".utf8
    )

    var text: String {
        var bytes = Self.digits(for: (columns - 1) + (rows - 1) * 9, count: 1)
        let largest = values.dropFirst().joined().lazy.map(abs).max() ?? 0
        let quantised = values.count > 1 ? max(0, min(82, Int((largest * 166 - 0.5).rounded(.down)))) : 0
        let range = Double(quantised + 1) / 166
        bytes += Self.digits(for: quantised, count: 1)
        bytes += Self.digits(for: values[0].reduce(0) { $0 << 8 | Int(SRGB.encode($1)) }, count: 4)
        for value in values.dropFirst() {
            let levels = value.map { max(0, min(18, Int((Self.root($0 / range) * 9 + 9.5).rounded(.down)))) }
            bytes += Self.digits(for: levels.reduce(0) { $0 * 19 + $1 }, count: 2)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    init(_ text: String, punch: Double) throws(ImageError) {
        var numbers: [Int] = []
        for byte in text.utf8 {
            guard let digit = Self.digits.firstIndex(of: byte) else {
                throw Self.malformed("has a character that is none of its 83 digits")
            }
            numbers.append(digit)
        }
        guard numbers.count >= 6 else { throw Self.truncated(numbers.count, of: 6) }
        guard numbers[0] < 81 else { throw Self.malformed("claims more than nine rows") }
        columns = numbers[0] % 9 + 1
        rows = numbers[0] / 9 + 1
        let length = 4 + 2 * columns * rows
        guard numbers.count >= length else { throw Self.truncated(numbers.count, of: length) }
        guard numbers.count == length else { throw Self.malformed("has \(numbers.count) digits and needs \(length)") }

        let range = Double(numbers[1] + 1) / 166 * punch
        let average = numbers[2..<6].reduce(0) { $0 * 83 + $1 }
        guard average < 1 << 24 else { throw Self.malformed("has an average that is no colour") }
        values = [[average >> 16, average >> 8 & 255, average & 255].map { SRGB.linear[$0] }]
        for index in stride(from: 6, to: length, by: 2) {
            let number = numbers[index] * 83 + numbers[index + 1]
            guard number < 19 * 19 * 19 else { throw Self.malformed("has a coefficient out of range") }
            values.append(
                [number / 361, number / 19 % 19, number % 19].map { level in
                    let value = Double(level - 9) / 9
                    return value * abs(value) * range
                }
            )
        }
    }

    /// The square root, with the sign kept.
    private static func root(_ value: Double) -> Double { value < 0 ? -(-value).squareRoot() : value.squareRoot() }

    private static func digits(for number: Int, count: Int) -> [UInt8] {
        var rest = number
        var digits: [UInt8] = []
        for _ in 0..<count {
            digits.append(Self.digits[rest % 83])
            rest /= 83
        }
        return digits.reversed()
    }

    private static func malformed(_ what: String) -> ImageError {
        ImageError(.corruptImage, "the BlurHash \(what)", advice: "make it again from the picture", stage: .decode)
    }

    private static func truncated(_ count: Int, of length: Int) -> ImageError {
        ImageError(
            .truncatedImage,
            "the BlurHash ends after \(count) of \(length) digits",
            advice: "check that it is stored and sent whole",
            stage: .decode
        )
    }
}
