internal import KuvaCore

/// On which frames before it each frame of an animation depends.
struct FrameChain {
    private struct Link {
        let startsEmpty: Bool
        let disposal: AnimationCanvas.Disposal
        let isWholeScreen: Bool
        /// The last frame, this one included, from which on the screen can be drawn without those before it.
        var key: Int

        /// Whether the screen is empty once the frame is disposed of.
        var leavesEmpty: Bool {
            switch disposal {
            case .keep: false
            case .clear: startsEmpty || isWholeScreen
            case .restore: startsEmpty
            }
        }
    }

    private var links: [Link] = []

    /// How many frames are in it.
    var count: Int { links.count }

    /// Adds the next frame.
    ///
    /// - Parameter hidesAll: whether nothing that was on the screen shows through or around the frame.
    mutating func append(
        _ rect: PixelRect,
        on screen: PixelSize,
        disposal: AnimationCanvas.Disposal,
        hidesAll: Bool
    ) {
        let startsEmpty = links.last?.leavesEmpty ?? true
        // What a frame covers that is restored afterwards comes back.
        let isKey = startsEmpty || (hidesAll && disposal != .restore)
        links.append(
            Link(
                startsEmpty: startsEmpty,
                disposal: disposal,
                isWholeScreen: rect.clamped(to: screen).size == screen,
                key: isKey ? links.count : links.last?.key ?? 0
            )
        )
    }

    /// The frame from which on the screen must be drawn to show the frame `index`.
    func key(of index: Int) -> Int { links[index].key }

    /// A frame turned out not to hide what is before it, since it is damaged.
    ///
    /// - Returns: whether it was thought to, so that it must be drawn again on what is before it.
    mutating func hidesNothing(_ index: Int) -> Bool {
        guard index > 0, links[index].key == index, !links[index].startsEmpty else { return false }
        for later in index..<links.count where links[later].key == index { links[later].key = links[index - 1].key }
        return true
    }
}
