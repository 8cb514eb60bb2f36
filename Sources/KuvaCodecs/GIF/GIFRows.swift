internal import KuvaCore

/// Makes rows of the logical screen out of the palette indices of a frame on an empty screen.
struct GIFRows {
    private let frame: GIFFrame
    private let screen: PixelSize
    /// 256 RGBA pixels; what is transparent or has no colour is zero.
    private let palette: [UInt8]
    /// The columns of the frame that are on the screen.
    private let visibleWidth: Int

    init(_ frame: GIFFrame, screen: PixelSize, file: BoundedBytes) {
        self.frame = frame
        self.screen = screen
        visibleWidth = max(0, min(frame.size.width, screen.width - frame.left))
        var palette = [UInt8](repeating: 0, count: 1024)
        if let table = frame.palette, let colours = file.slice(table.offset..<(table.offset + table.byteCount)) {
            for index in 0..<table.count where index != frame.transparentIndex.map(Int.init) {
                for channel in 0..<3 { palette[4 * index + channel] = colours[3 * index + channel] }
                palette[4 * index + 3] = 255
            }
        }
        self.palette = palette
    }

    /// How many rows of the screen, from the top, can be made from the first `count` indices.
    ///
    /// - Parameter isLast: whether no more indices come; then rows that did not come through interlacing are repeated
    ///   from those above.
    func rowCount(indices count: Int, isLast: Bool) -> Int {
        let rows = count / frame.size.width
        if rows >= frame.size.height { return screen.height }
        if frame.isInterlaced {
            guard isLast, rows > 0 else { return min(frame.top, screen.height) }
            // The first pass has each eighth row.
            return min(screen.height, frame.top + min(frame.size.height, rows * 8))
        }
        return min(screen.height, frame.top + rows)
    }

    /// How many of the four passes of an interlaced frame are whole with the first `count` indices.
    func passCount(indices count: Int) -> Int {
        let (rows, height) = (count / frame.size.width, frame.size.height)
        return [(height + 7) / 8, (height + 3) / 4, (height + 1) / 2, height].filter { $0 <= rows }.count
    }

    /// Whether a row of the frame is there to be shown.
    func hasPicture(indices count: Int) -> Bool { count >= frame.size.width }

    /// Writes one row of the screen.
    func write(_ y: Int, of pixels: borrowing GIFPixels, indices count: Int, to out: UnsafeMutableRawPointer) {
        let row = y - frame.top
        let isInside = row >= 0 && row < frame.size.height && visibleWidth > 0
        if !isInside || visibleWidth < screen.width {
            out.initializeMemory(as: UInt8.self, repeating: 0, count: screen.width * 4)
        }
        guard isInside else { return }
        let stored = storedRow(row, available: count / frame.size.width)
        let start = stored * frame.size.width
        pixels.expand(start..<(start + visibleWidth), palette: palette, into: out + frame.left * 4)
    }

    /// Draws what there is of the frame on a screen of rows packed tightly.
    func draw(_ pixels: borrowing GIFPixels, indices count: Int, on screenRows: UnsafeMutableRawPointer) {
        let first = min(frame.top, screen.height)
        let end =
            hasPicture(indices: count) ? min(rowCount(indices: count, isLast: true), frame.top + frame.size.height) : 0
        guard visibleWidth > 0, first < end else { return }
        // Without transparency and with a colour for each index nothing below shows.
        let hidesAll = frame.transparentIndex == nil && frame.hasColourForEachIndex
        for y in first..<min(end, screen.height) {
            let start = storedRow(y - frame.top, available: count / frame.size.width) * frame.size.width
            let out = screenRows + (y * screen.width + frame.left) * 4
            let range = start..<(start + visibleWidth)
            if hidesAll {
                pixels.expand(range, palette: palette, into: out)
            } else {
                pixels.draw(range, palette: palette, transparent: frame.transparentIndex, over: out)
            }
        }
    }

    /// Where the row of the frame is in the order of the file (GIF89a, appendix E), or the nearest row above it that
    /// has come.
    private func storedRow(_ row: Int, available: Int) -> Int {
        guard frame.isInterlaced else { return row }
        let stored = interlacedRow(row)
        if stored < available { return stored }
        // Each step goes to the pass before.
        for mask in [1, 3, 7] {
            let earlier = interlacedRow(row & ~mask)
            if earlier < available { return earlier }
        }
        return 0
    }

    private func interlacedRow(_ row: Int) -> Int {
        let height = frame.size.height
        let (eighths, quarters, halves) = ((height + 7) / 8, (height + 3) / 4, (height + 1) / 2)
        if row % 8 == 0 { return row / 8 }
        if row % 4 == 0 { return eighths + row / 8 }
        if row % 2 == 0 { return quarters + row / 4 }
        return halves + row / 2
    }
}
