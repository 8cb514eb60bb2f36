internal import KuvaCore

/// What becomes of a frame before the next one is drawn (GIF89a §23.c.iv).
enum GIFDisposal: UInt8 {
    /// Not said, or to be left in place.
    case keep = 0
    /// The frame's rectangle becomes transparent; "background" in the specification, which no browser follows.
    case clear = 2
    /// The rectangle becomes what it was before the frame.
    case restore = 3

    /// The same in the words of all formats.
    var onCanvas: AnimationCanvas.Disposal {
        switch self {
        case .keep: .keep
        case .clear: .clear
        case .restore: .restore
        }
    }

    /// Values that do not exist keep; 4 restores, as browsers read an old misprint of the specification.
    init(packed: UInt8) {
        switch packed >> 2 & 7 {
        case 2: self = .clear
        case 3, 4: self = .restore
        default: self = .keep
        }
    }
}

/// A colour table, by its place in the file.
struct GIFPalette: Equatable {
    let offset: Int
    let count: Int

    var byteCount: Int { count * 3 }
}

/// What the blocks in front of a frame's pixels say, and where its pixels are.
struct GIFFrame {
    /// The frame's rectangle in the coordinates of the logical screen; parts may lie outside of it.
    let left: Int
    let top: Int
    let size: PixelSize
    let isInterlaced: Bool
    /// Its own table or the global one; `nil` if there is none, and then nothing of the frame shows.
    let palette: GIFPalette?
    let transparentIndex: UInt8?
    let disposal: GIFDisposal
    /// As the file says it, in hundredths of a second; `nil` without a control block.
    let delay: Int?
    let minimumCodeSize: UInt8
    /// Where the data sub-blocks begin.
    let dataOffset: Int
    /// Behind the block terminator; `nil` while it has not come.
    var dataEnd: Int?
    var duration: Duration? { delay.map { .milliseconds($0 * 10) } }

    var rect: PixelRect { PixelRect(x: left, y: top, size: size) }

    /// Whether the table is as large as the codes can name.
    var hasColourForEachIndex: Bool {
        guard let palette, minimumCodeSize <= 8 else { return false }
        return palette.count >= 1 << Int(minimumCodeSize)
    }

    /// Whether each pixel of a screen of the given size gets a colour, if all of the frame's data come.
    func covers(_ screen: PixelSize) -> Bool {
        guard transparentIndex == nil, hasColourForEachIndex else { return false }
        return left == 0 && top == 0 && size.width >= screen.width && size.height >= screen.height
    }
}
