internal import FoundationEssentials
internal import KuvaCore

/// The animation in a file that is still coming, from its first frame on. One thread at a time.
struct MovingPreview: Sendable {
    /// What new bytes gave.
    enum Step: Sendable {
        /// No frame yet.
        case nothing
        /// No frame more than before.
        case unchanged
        /// The animation, with frames that it did not have before.
        case shown(Image)
    }

    private var growing: GrowingAnimation?
    /// What has come, in memory that the fetch holds too.
    private var received: [Data] = []
    private var shownFrameCount = 0

    init(_ request: ImageRequest, _ configuration: ImageManager.Configuration) {
        // Frames are decoded long after the load, whose cancellation does not end them.
        let options = DecodeOptions(
            targetSize: request.targetSize,
            maximumFrameBytes: request.maximumFrameBytes,
            scalingQuality: request.scalingQuality,
            limits: request.limits
        )
        growing = GrowingAnimation(
            decoders: configuration.decoders(for: request.parts),
            options: options,
            scale: request.scale,
            pool: configuration.pixelPool
        )
    }

    /// Adds what has come.
    mutating func take(_ pieces: [Data]) -> Step {
        guard feed(pieces), let animation = growing?.image else { return .nothing }
        guard animation.frameCount > shownFrameCount else { return .unchanged }
        shownFrameCount = animation.frameCount
        return .shown(Self.image(animation, loopCount: nil))
    }

    /// Adds the rest of the file. The result is the same animation that ``take(_:)`` gave.
    mutating func finish(_ pieces: [Data], _ file: Data) -> Image? {
        guard feed(pieces), let animation = growing?.image, let rest = rest(of: file),
            (try? growing?.append(rest, isLast: true, file: file)) != nil, animation.timeline.isComplete
        else { return nil }
        return Self.image(animation, loopCount: animation.poster.format.loopCount(forLaps: animation.lapCount))
    }

    /// - Returns: whether there may be an animation.
    private mutating func feed(_ pieces: [Data]) -> Bool {
        for piece in pieces {
            received.append(piece)
            // What is no animation, or broken, is for the final decode to tell.
            guard (try? growing?.append(piece, isLast: false)) != nil else {
                growing = nil
                received = []
                return false
            }
        }
        return growing != nil
    }

    /// What of a file has not come; `nil` if the file begins with other bytes than those that have.
    private func rest(of file: Data) -> Data? {
        var rest = file[...]
        for piece in received {
            guard rest.prefix(piece.count) == piece else { return nil }
            rest = rest.dropFirst(piece.count)
        }
        return rest
    }

    private static func image(_ animation: AnimatedImage, loopCount: Int?) -> Image {
        Image(
            pixels: animation.poster.pixels,
            scale: animation.poster.scale,
            format: animation.poster.format,
            frameCount: animation.frameCount,
            loopCount: loopCount,
            animation: animation
        )
    }
}
