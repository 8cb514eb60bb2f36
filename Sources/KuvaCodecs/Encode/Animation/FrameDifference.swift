internal import KuvaCore

/// Where two pictures of one size differ.
enum FrameDifference {
    /// The smallest rectangle with all pixels for which `isChanged` holds; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - old: packed rows of `size`.
    ///   - new: packed rows of `size`.
    static func rect(
        from old: UnsafePointer<UInt32>,
        to new: UnsafePointer<UInt32>,
        size: PixelSize,
        where isChanged: (_ old: UInt32, _ new: UInt32) -> Bool
    ) -> PixelRect? {
        let (width, height) = (size.width, size.height)
        func hasChange(_ row: Int, _ columns: Range<Int>) -> Bool {
            let start = row * width
            for x in columns where isChanged(old[start + x], new[start + x]) { return true }
            return false
        }
        guard let top = (0..<height).first(where: { hasChange($0, 0..<width) }),
            let bottom = (top..<height).last(where: { hasChange($0, 0..<width) })
        else { return nil }
        var (left, right) = (width, 0)
        for row in top...bottom {
            let start = row * width
            if let x = (0..<left).first(where: { isChanged(old[start + $0], new[start + $0]) }) { left = x }
            if let x = (right..<width).last(where: { isChanged(old[start + $0], new[start + $0]) }) { right = x + 1 }
        }
        return PixelRect(x: left, y: top, width: right - left, height: bottom - top + 1)
    }
}

extension PixelRect {
    /// The smallest rectangle that holds both.
    func union(_ other: PixelRect) -> PixelRect {
        let (left, top) = (min(x, other.x), min(y, other.y))
        let right = max(x + size.width, other.x + other.size.width)
        let bottom = max(y + size.height, other.y + other.size.height)
        return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
    }
}
