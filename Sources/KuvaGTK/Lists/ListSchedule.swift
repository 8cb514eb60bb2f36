/// When the rows of a list are loaded, and which ones are wanted next. Decides and never acts.
package struct ListSchedule {
    /// The way in which the list moves.
    package enum Direction: Sendable {
        /// Towards higher positions. Also before anything has moved: lists are read from their start.
        case forward
        /// Towards lower positions.
        case backward
    }

    /// The way in which the list moved last.
    package private(set) var direction = Direction.forward
    private var view: ClosedRange<Int>?

    /// Makes the schedule of a list that shows nothing yet.
    package init() {}

    /// A frame is about to be drawn.
    ///
    /// - Parameter view: the rows in it; `nil` for none.
    /// - Returns: whether the rows are likely to stay until their pictures come: at least half of them were in view when
    ///   last one was, or none ever was. A row that a fling throws past for a frame or two is not worth a load, which
    ///   would be cancelled before it brought anything.
    package mutating func moved(to view: ClosedRange<Int>?) -> Bool {
        // Between two places of a jump there may be a frame without a row.
        guard let view else { return false }
        defer { self.view = view }
        guard let last = self.view else { return true }
        let (middle, lastMiddle) = (view.lowerBound + view.upperBound, last.lowerBound + last.upperBound)
        if middle != lastMiddle { direction = middle > lastMiddle ? .forward : .backward }
        let kept = min(view.upperBound, last.upperBound) - max(view.lowerBound, last.lowerBound) + 1
        return 2 * kept >= min(view.count, last.count)
    }

    /// How soon a row that has a cell and is out of view is wanted, a lower number first: those ahead by their distance,
    /// then those behind.
    package func rank(of position: Int) -> Int {
        guard let view else { return position }
        let isBehind = direction == .forward ? position < view.lowerBound : position > view.upperBound
        let distance = position < view.lowerBound ? view.lowerBound - position : position - view.upperBound
        return isBehind ? distance + 1 << 32 : distance
    }

    /// The rows to prefetch, the nearest first: those after the last that has a cell, in the way in which the list moves.
    ///
    /// - Parameters:
    ///   - count: how many at most.
    ///   - cells: the rows that have cells.
    ///   - length: rows of the list.
    package func rowsAhead(_ count: Int, of cells: ClosedRange<Int>, length: Int) -> [Int] {
        switch direction {
        case .forward:
            let first = min(cells.upperBound + 1, length)
            return Array(first..<min(first + count, length))
        case .backward: return (max(0, cells.lowerBound - count)..<max(0, cells.lowerBound)).reversed()
        }
    }
}
