internal import Kuva

/// The frames of an animation, as `kuva info` lists them.
struct FrameList: Sendable {
    private let frames: [AnimationFrame]

    /// What a decoder has found so far; empty for a still picture.
    init(_ decoder: any ImageDecoder) {
        guard let decoder = decoder as? any AnimationDecoder, decoder.frameCount > 1 else {
            frames = []
            return
        }
        frames = (0..<decoder.frameCount).map { decoder.frame(at: $0) }
    }

    /// Lines such as `  frames 1-5: 100 ms, 40x30+2+4, keep`, one for each run of equal frames.
    var lines: [String] {
        var (lines, start) = ([String](), 0)
        for index in frames.indices where index + 1 == frames.count || frames[index + 1] != frames[index] {
            let name = index == start ? "frame \(index)" : "frames \(start)-\(index)"
            lines.append("  \(name): \(Self.text(frames[index]))")
            start = index + 1
        }
        return lines
    }

    private static func text(_ frame: AnimationFrame) -> String {
        var parts = [frame.duration.map { "\(Self.number(Self.milliseconds($0))) ms" } ?? "no time"]
        if let rect = frame.rect { parts.append("\(rect)") }
        if let disposal = frame.disposal { parts.append("\(disposal)") }
        if !frame.isWhole { parts.append("cut off") }
        return parts.joined(separator: ", ")
    }

    /// Without a fraction where there is none, otherwise with two digits of it.
    private static func number(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
        return rest == 0 ? "\(whole)" : "\(whole).\(rest < 10 ? "0" : "")\(rest)"
    }

    private static func milliseconds(_ duration: Duration) -> Double { duration / .milliseconds(1) }

    /// One frame in JSON.
    struct Record: Encodable {
        let index: Int
        /// As stored; left out where the file does not say.
        let milliseconds: Double?
        /// Left, top, width and height in the stored picture; left out where the format has no such thing.
        let rect: [Int]?
        let disposal: String?
    }

    /// `nil` for a still picture.
    var records: [Record]? {
        guard !frames.isEmpty else { return nil }
        return frames.enumerated().map { index, frame in
            Record(
                index: index,
                milliseconds: frame.duration.map(Self.milliseconds),
                rect: frame.rect.map { [$0.x, $0.y, $0.size.width, $0.size.height] },
                disposal: frame.disposal.map { "\($0)" }
            )
        }
    }
}
