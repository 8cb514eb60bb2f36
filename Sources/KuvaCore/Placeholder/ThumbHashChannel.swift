/// One of the channels of a ThumbHash: a few coefficients of its cosine transform, in the triangle of the lowest
/// frequencies.
struct ThumbHashChannel {
    let columns: Int
    let rows: Int
    /// The average.
    var average: Double
    /// What the largest of the others is.
    var scale: Double
    /// The others, row by row; from -1 to 1, times ``scale``.
    var details: [Double]

    /// How many coefficients a row has, with the average.
    private static func length(ofRow row: Int, _ columns: Int, _ rows: Int) -> Int {
        // Those with column · rows < columns · (rows − row).
        (columns * (rows - row) + rows - 1) / rows
    }

    /// How many coefficients there are beside the average.
    static func detailCount(columns: Int, rows: Int) -> Int {
        (0..<rows).reduce(-1) { $0 + length(ofRow: $1, columns, rows) }
    }

    /// From the values of a picture, row by row.
    init(of values: [Double], size: PixelSize, columns: Int, rows: Int) {
        let across = Cosines(frequencies: columns, length: size.width, shift: 0.5)
        let down = Cosines(frequencies: rows, length: size.height, shift: 0.5)
        var all: [Double] = []
        for row in 0..<rows {
            for column in 0..<Self.length(ofRow: row, columns, rows) {
                var sum = 0.0
                for y in 0..<size.height {
                    var line = 0.0
                    for x in 0..<size.width { line += values[y * size.width + x] * across[column, x] }
                    sum += line * down[row, y]
                }
                all.append(sum / Double(size.width * size.height))
            }
        }
        let largest = all.dropFirst().lazy.map(abs).max() ?? 0
        self.init(columns: columns, rows: rows, average: all[0], scale: largest, details: Array(all.dropFirst()))
    }

    init(columns: Int, rows: Int, average: Double, scale: Double, details: [Double]) {
        self.columns = columns
        self.rows = rows
        self.average = average
        self.scale = scale
        self.details = details
    }

    /// The coefficients besides the average in four bits each.
    var nibbles: [Int] {
        details.map { scale > 0 ? Self.rounded(15 * (0.5 + 0.5 * $0 / scale)) : Self.rounded(15 * $0) }
    }

    static func rounded(_ value: Double) -> Int { Int((value + 0.5).rounded(.down)) }

    /// The values of a row of a picture, one for each of `across`'s places.
    func line(_ y: Int, across: Cosines, down: Cosines, width: Int) -> [Double] {
        var sums = [Double](repeating: 0, count: columns)
        var index = 0
        for row in 0..<rows {
            for column in (row == 0 ? 1 : 0)..<max(1, Self.length(ofRow: row, columns, rows)) {
                sums[column] += details[index] * down[row, y] * 2
                index += 1
            }
        }
        return (0..<width).map { x in
            var value = average
            for column in 0..<columns { value += sums[column] * across[column, x] }
            return value
        }
    }
}
