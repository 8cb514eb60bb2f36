#if JPEGXL
    import Foundation
    import KuvaCodecs
    import KuvaCore
    import Testing

    /// Animations that cjxl makes of APNGs without loss, against what djxl makes of them, as Pillow reads it.
    @Suite(
        "JPEG XL animations",
        .enabled(if: Tool.isPresent("cjxl") && Tool.isPresent("djxl") && Tool.python != nil)
    )
    struct JXLAnimationTests {
        /// A box that moves over a ground that fades, five frames of 60 × 40 in all; each kept or cleared.
        private static func png(_ rest: String = "") throws -> Data {
            let script = """
                import sys; from PIL import Image
                p = bytes(v for y in range(40) for x in range(60) for v in (x * 4, y * 6, 77, 255 - x))
                g = Image.frombytes('RGBA', (60, 40), p); f = []
                for n in range(5):
                    c = g.copy(); c.paste((255, n * 50, 0, 255), (n * 9, 8, n * 9 + 11, 20)); f.append(c)
                f[0].save(sys.argv[1], 'PNG', save_all=True, append_images=f[1:], duration=[100, 50, 20, 40, 1000]\(rest))
                """
            return try Tool.run(#require(Tool.python), "-c", script, "@out")
        }

        private static func jxl(_ png: Data, _ options: String...) throws -> Data {
            try Tool.run("cjxl", options: ["-d", "0", "-e", "1"] + options + ["@in.png", "@out.jxl"], input: png)
        }

        @Test(
            arguments: [", loop=0", ", disposal=1", ", disposal=[1, 0, 2, 1, 0]"],
            ["--container=0", "--container=1"]
        )
        func everyFrameIsDjxls(rest: String, container: String) throws {
            let png = try Self.png(rest)
            let file = try Self.jxl(png, container)
            let theirs = try Tool.run("djxl", "@in.jxl", "@out.apng", input: file)
            // cjxl 0.7 takes frames that do not clear for others than they are.
            let reference = try PillowAnimation(rest.hasSuffix("1") ? png : theirs)
            let decoding = try AnimationDecoding(file)
            let frames = try decoding.allFrames()
            #expect(frames.count == 5)
            #expect(frames.map(\.frame.duration) == [100, 50, 20, 40, 1000].map { .milliseconds($0) })
            for (index, frame) in frames.enumerated() {
                let worst = frame.pixels.difference(from: reference.frames[index].premultiplied.bytes)
                #expect(worst == 0, "frame \(index)")
            }
            for index in [4, 3, 2, 1, 0, 3, 0, 4] {
                let isEqual = try decoding.frame(index) == frames[index].pixels
                #expect(isEqual, "frame \(index) out of order")
            }
            let image = try #require(try AnimatedImage.decode(file, decoders: CodecRegistry.builtIn))
            // cjxl 0.7 makes every animation play for ever.
            #expect(image.lapCount == nil)
            #expect(image.timeline.isComplete)
        }

        /// A frame is there once the header behind it is; of a file that is cut off, those that began, the last one as
        /// far as it goes.
        @Test func growsAndEndsEarly() throws {
            let file = try Self.jxl(try Self.png(", loop=0"))
            var growing = GrowingAnimation(decoders: CodecRegistry.builtIn)
            var counts: [Int] = []
            for start in stride(from: 0, to: file.count, by: 16) {
                try growing.append(file.dropFirst(start).prefix(16), isLast: start + 16 >= file.count)
                if let count = growing.image?.frameCount, counts.last != count { counts.append(count) }
            }
            #expect(counts.first == 1)
            #expect(counts.last == 5)
            #expect(counts.count >= 3)
            let image = try #require(growing.image)
            let whole = try AnimationDecoding(file).allFrames().map(\.pixels)
            for index in [4, 0, 2] {
                let isEqual = try Pixels(image.provider.frame(at: index, pool: .shared)) == whole[index]
                #expect(isEqual, "frame \(index)")
            }
            let part = try AnimationDecoding(file.dropLast(file.count / 3))
            #expect((1..<5).contains(part.decoder.frameCount))
            for index in 0..<part.decoder.frameCount - 1 {
                let isEqual = try part.frame(index) == whole[index]
                #expect(isEqual, "frame \(index) of a part")
            }
        }

        @Test func framesAreLimited() throws {
            var options = DecodeOptions()
            options.limits.maximumFrameCount = 4
            let file = try Self.jxl(try Self.png())
            #expect { _ = try AnimationDecoding(file, options: options) } throws: {
                ($0 as? ImageError)?.code == .limitExceeded
            }
        }
    }
#endif
