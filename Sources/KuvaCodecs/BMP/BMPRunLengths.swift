internal import KuvaCore

/// Reads run-length coded rows of 4 or 8 bits a pixel: encoded runs, absolute runs, the end of a row, the end of the
/// picture, and steps that leave pixels out (those keep the first colour of the palette).
struct BMPRunLengths {
    private let bitsPerPixel: Int
    private let width: Int
    private var position: Int
    private var x = 0
    /// Rows that a step has passed over.
    private var emptyRows = 0
    private var isAtEnd = false
    private var isRowDone = false
    /// The row being read.
    private(set) var indices: [UInt8]

    init(_ header: BMPHeader, at position: Int) {
        bitsPerPixel = header.bitsPerPixel
        width = header.size.width
        self.position = position
        indices = [UInt8](repeating: 0, count: width)
    }

    /// Reads on until a row is whole and in ``indices``. After the end of the picture, rows are of the first colour.
    ///
    /// - Returns: whether there is a row; `false` if the bytes end before it does.
    mutating func readRow(in bytes: BoundedBytes) -> Bool {
        let bits = bitsPerPixel
        if isRowDone { startRow() }
        while true {
            if emptyRows > 0 {
                emptyRows -= 1
                return endRow(keepingX: true)
            }
            if isAtEnd { return endRow() }
            guard let count = bytes.uint8(at: position), let value = bytes.uint8(at: position + 1) else {
                return false
            }
            if count > 0 {
                position += 2
                put(count: Int(count)) { value >> (bits == 8 || $0 % 2 == 1 ? 0 : 4) }
                continue
            }
            switch value {
            case 0:
                position += 2
                x = 0
                return endRow()
            case 1:
                position += 2
                isAtEnd = true
            case 2:
                guard let right = bytes.uint8(at: position + 2), let up = bytes.uint8(at: position + 3) else {
                    return false
                }
                position += 4
                x = min(width, x + Int(right))
                emptyRows = Int(up)
            default:
                let length = (Int(value) * bitsPerPixel + 15) / 16 * 2
                guard let run = bytes.slice(position + 2..<position + 2 + length) else { return false }
                position += 2 + length
                put(count: Int(value)) { bits == 8 ? run[$0] : run[$0 / 2] >> ($0 % 2 == 1 ? 0 : 4) }
            }
        }
    }

    private mutating func put(count: Int, _ value: (Int) -> UInt8) {
        let mask: UInt8 = bitsPerPixel == 8 ? 0xFF : 0x0F
        // What runs over the end of a row is dropped, as other readers do.
        for index in 0..<min(count, width - x) { indices[x + index] = value(index) & mask }
        x += min(count, width - x)
    }

    private mutating func endRow(keepingX: Bool = false) -> Bool {
        if !keepingX { x = 0 }
        isRowDone = true
        return true
    }

    private mutating func startRow() {
        isRowDone = false
        for index in indices.indices { indices[index] = 0 }
    }
}
