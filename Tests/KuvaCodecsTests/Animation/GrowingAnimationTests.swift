import Foundation
import KuvaCodecs
import KuvaCore
import Testing

private typealias G = GIFFile

@Suite("Growing animations")
struct GrowingAnimationTests {
    /// One pixel of the colour `index`, for 10 hundredths of a second.
    private static func frame(_ index: Int, disposal: UInt8 = 1) -> [UInt8] {
        G.control(disposal: disposal, delay: 10) + G.image(0, 0, 1, 1, data: G.plain([index]))
    }

    private static func file(_ frames: [Int]) -> Data {
        Data(([G.screen(1, 1, palette: G.four)] + frames.map { frame($0) } + [G.trailer]).joined())
    }

    /// A file of 20 MB whose first frame ends at 60 kB shows it after 64 kB.
    @Test func firstFrameShowsAsSoonAsItsBytesHaveCome() throws {
        // A plain code takes 6 bits: 160 × 497 of them are 59,640 bytes, with the lengths of their blocks 59,874.
        let first = G.image(0, 0, 160, 497, data: G.plain([Int](repeating: 1, count: 160 * 497)))
        let head = G.screen(160, 497, palette: G.four) + G.control(delay: 10) + first
        #expect((59_000...61_000).contains(head.count))
        let later = G.control(delay: 10) + first
        var file = Data(head)
        while file.count < 20_000_000 { file.append(contentsOf: later) }
        var growing = GrowingAnimation(decoders: CodecRegistry.builtIn)
        try growing.append(file.prefix(32 << 10), isLast: false)
        #expect(growing.image == nil)
        try growing.append(file.dropFirst(32 << 10).prefix(32 << 10), isLast: false)
        let image = try #require(growing.image)
        #expect(image.pixelSize == PixelSize(width: 160, height: 497))
        #expect(image.frameCount == 1)
        #expect(image.poster.pixels.rgba(x: 159, y: 496).map { [$0.red, $0.green, $0.blue, $0.alpha] } == G.colours[1])
        #expect(!image.timeline.isComplete)
        try growing.append(file.dropFirst(64 << 10).prefix(64 << 10), isLast: false)
        #expect(growing.image === image)
        #expect(image.frameCount == 2)
    }

    /// Frames are counted once all of their bytes are there; each is what it is in the whole file.
    @Test func growsByteByByte() throws {
        let file = Self.file([1, 2, 3])
        var growing = GrowingAnimation(decoders: CodecRegistry.builtIn)
        var counts: [Int] = []
        for (offset, byte) in file.enumerated() {
            try growing.append(Data([byte]), isLast: offset == file.count - 1)
            if let count = growing.image?.frameCount, counts.last != count { counts.append(count) }
        }
        #expect(counts == [1, 2, 3])
        let image = try #require(growing.image)
        #expect(image.timeline.isComplete)
        #expect(image.lapCount == 1)
        for (index, colour) in [1, 2, 3].enumerated() {
            let pixels = Pixels(try image.provider.frame(at: index, pool: .shared))
            #expect(pixels.bytes == G.colours[colour])
        }
        let error = #expect(throws: ImageError.self) { try image.provider.frame(at: 3, pool: .shared) }
        #expect(error?.code == .invalidConfiguration)
    }

    @Test func stillPicturesAreNone() throws {
        #expect(try AnimatedImage.decode(Self.file([1]), decoders: CodecRegistry.builtIn) == nil)
        var growing = GrowingAnimation(decoders: CodecRegistry.builtIn)
        try growing.append(Self.file([1]), isLast: true)
        #expect(growing.image == nil)
        #expect(growing.isStill)
    }

    @Test func whatIsNoPictureThrows() {
        #expect(throws: ImageError.self) {
            try AnimatedImage.decode(
                Data("GIF89a".utf8) + Data(repeating: 0, count: 20),
                decoders: CodecRegistry.builtIn
            )
        }
    }

    /// As many frames as the limit allows, each on the one before: going forward never starts over.
    @Test func sixtyFiveThousandFrames() throws {
        let image = try #require(
            try AnimatedImage.decode(
                Self.file((0..<65_535).map { $0 % 4 }),
                decoders: CodecRegistry.builtIn
            )
        )
        #expect(image.frameCount == 65_535)
        #expect(image.timeline.lapDuration == .milliseconds(6_553_500))
        for index in [1, 2, 65_533, 65_534] {
            let pixels = Pixels(try image.provider.frame(at: index, pool: .shared))
            #expect(pixels.bytes == G.colours[index % 4])
        }
    }
}

/// Animated GIFs cut off and changed: no crash, and what is whole is right.
@Suite("Damaged animations")
struct AnimationDamageTests {
    /// Frames with each disposal, transparent and not, partly outside of the screen and interlaced.
    static let file: Data = {
        let parts: [[UInt8]] = [
            G.screen(4, 4, palette: G.four), G.loop(0),
            G.control(disposal: 1, delay: 5), G.image(0, 0, 4, 4, data: G.plain([Int](repeating: 1, count: 16))),
            G.control(disposal: 3, delay: 6, transparent: 0),
            G.image(1, 1, 2, 2, interlaced: true, data: G.plain([0, 2, 3, 0])),
            G.control(disposal: 2, delay: 7), G.image(2, 2, 4, 4, data: G.plain([Int](repeating: 3, count: 16))),
            G.control(disposal: 0, delay: 8, transparent: 1), G.image(0, 3, 4, 1, data: G.plain([1, 2, 1, 2])),
            G.trailer,
        ]
        return Data(parts.joined())
    }()

    /// The four screens, drawn: a digit is a colour of the palette, a dot is transparent.
    @Test func disposalsByHand() throws {
        let screens = ["1111 1111 1111 1111", "1111 1121 1311 1111", "1111 1111 1133 1133", "1111 1111 11.. 12.2"]
        let frames = try AnimationDecoding(Self.file).allFrames()
        for (frame, screen) in zip(frames, screens) {
            let expected = screen.filter { $0 != " " }.flatMap {
                $0 == "." ? [0, 0, 0, 0] : G.colours[Int(String($0))!]
            }
            #expect(frame.pixels.bytes == expected, "frame \(frame.frame.index)")
        }
        #expect(frames.map(\.frame.duration) == [50, 60, 70, 80].map { .milliseconds($0) })
        #expect(frames.map(\.frame.alpha) == [.opaque, .opaque, .opaque, .premultiplied])
    }

    @Test func cutOffAtEachByte() throws {
        let whole = try AnimationDecoding(Self.file).allFrames()
        for length in 0..<Self.file.count {
            guard let decoding = try? AnimationDecoding(Self.file.prefix(length)) else { continue }
            guard let frames = try? decoding.allFrames() else { continue }
            #expect(frames.count <= whole.count)
            for (part, full) in zip(frames, whole) where part.frame.damage == nil {
                let isEqual = part.pixels == full.pixels
                #expect(isEqual, "frame \(part.frame.index) of \(length) bytes")
            }
            #expect(frames.dropLast().allSatisfy { $0.frame.damage == nil })
        }
    }

    /// Every value at each byte: frames come or an error does, and asking backwards gives the same as forwards.
    @Test func changedAtEachByte() throws {
        for place in Self.file.indices {
            for change: UInt8 in [0x00, 0xFF, 0x80, 0x01] {
                var file = Self.file
                file[place] ^= change == 0 ? file[place] : change
                var limits = DecodeLimits()
                limits.maximumSourcePixels = 1 << 16
                limits.maximumOutputPixels = 1 << 16
                let options = DecodeOptions(limits: limits)
                guard let decoding = try? AnimationDecoding(file, options: options),
                    let forward = try? decoding.allFrames()
                else { continue }
                for index in forward.indices.reversed() {
                    let isEqual = try decoding.frame(index) == forward[index].pixels
                    #expect(isEqual, "frame \(index), byte \(place) changed by \(change)")
                }
            }
        }
    }
}
