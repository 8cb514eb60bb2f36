import KuvaCodecs
import Testing

extension Corpus {
    /// Frames asked for backwards, and every third one, are those of playing forward.
    static func checkOrder(of entry: Entry) throws {
        let decoding = try AnimationDecoding(entry.data)
        let frames = try decoding.allFrames().map(\.pixels)
        let order = (0..<frames.count).reversed() + stride(from: 0, to: frames.count, by: 3)
        for index in order {
            let isEqual = try decoding.frame(index) == frames[index]
            #expect(isEqual, "frame \(index)")
        }
    }

    /// The first frame wanted alone is that of the animation.
    static func checkFirstFrame(of entry: Entry) throws {
        let data = try entry.data
        let isEqual = try AnimationDecoding(data).frame(0) == Decoding(data).pixels
        #expect(isEqual)
    }
}
