internal import KuvaCore

/// The directory of an icon or cursor file: pictures of the same thing in several sizes and depths.
struct IconDirectory {
    struct Entry {
        /// As the directory says, where 0 means 256; the picture itself may say otherwise.
        let size: PixelSize
        /// Bits a pixel; 0 where the directory does not say, as in cursors.
        let bitsPerPixel: Int
        /// Where the picture starts. Its length is not used: some writers get it wrong, and the picture says it too.
        let offset: Int
    }

    let entries: [Entry]

    /// - Returns: `nil` if the bytes end inside the directory.
    init?(_ bytes: BoundedBytes) {
        guard let kind = bytes.uint16(at: 2, bigEndian: false), let count = bytes.uint16(at: 4, bigEndian: false),
            bytes.slice(6..<6 + Int(count) * 16) != nil
        else { return nil }
        entries = (0..<Int(count)).compactMap { index in
            let start = 6 + index * 16
            guard let width = bytes.uint8(at: start), let height = bytes.uint8(at: start + 1),
                let bits = bytes.uint16(at: start + 6, bigEndian: false),
                let offset = bytes.uint32(at: start + 12, bigEndian: false)
            else { return nil }
            let size = PixelSize(width: width == 0 ? 256 : Int(width), height: height == 0 ? 256 : Int(height))
            return Entry(size: size, bitsPerPixel: kind == 1 ? Int(bits) : 0, offset: Int(offset))
        }
    }

    /// The entries, best first: of those that cover the target the smallest, otherwise the largest, and of equal ones
    /// the deepest.
    func ranked(for target: TargetSize?) -> [Entry] {
        var target = target
        target?.allowsUpscaling = false
        func area(_ size: PixelSize) -> Int { size.width * size.height }
        return entries.enumerated().sorted { first, second in
            let (a, b) = (first.element, second.element)
            let outputs = (target?.outputSize(for: a.size) ?? a.size, target?.outputSize(for: b.size) ?? b.size)
            if area(outputs.0) != area(outputs.1) { return area(outputs.0) > area(outputs.1) }
            if area(a.size) != area(b.size) { return area(a.size) < area(b.size) }
            if a.bitsPerPixel != b.bitsPerPixel { return a.bitsPerPixel > b.bitsPerPixel }
            return first.offset < second.offset
        }.map(\.element)
    }
}
