import Foundation
import KuvaCore
import Testing

@testable import KuvaCodecs

/// Files that cwebp, webpmux and img2webp make.
@Suite("WebP fixtures", .enabled(if: Tool.hasWebP))
struct WebPFixtureTests {
    struct Kind: CustomTestStringConvertible, Sendable {
        let options: [String]
        var hasAlpha = false
        var testDescription: String { options.joined(separator: " ") + (hasAlpha ? " alpha" : "") }

        func file(width: Int = 53, height: Int = 70) throws -> Data {
            let pixels = Pixels.sample(width: width, height: height)
            return try Tool.run(
                "cwebp",
                options: ["-quiet"] + options + ["-o", "@out", "--", "@in"],
                input: hasAlpha ? pixels.fading.pam : pixels.ppm
            )
        }
    }

    static let kinds = [["-q", "80"], ["-lossless"], ["-q", "60", "-segments", "1", "-partition_limit", "50", "-mt"]]
        .flatMap {
            [Kind(options: $0), Kind(options: $0, hasAlpha: true)]
        }

    /// dwebp's own pixels, with straight alpha, multiplied here.
    static func reference(_ file: Data) throws -> Pixels? {
        Pixels(pam: try Tool.run("dwebp", "-quiet", "-pam", "-o", "@out", "--", "@in", input: file))?.premultiplied
    }

    @Test(arguments: kinds) func pixelsAreThoseOfDwebp(kind: Kind) throws {
        let file = try kind.file()
        let decoded = try Decoding(file)
        #expect(decoded.pixels == (try Self.reference(file)))
        #expect(decoded.frame.alpha == (kind.hasAlpha ? .premultiplied : .opaque))
        #expect(decoded.info.hasAlpha == kind.hasAlpha)
        #expect(decoded.info.frameCount == 1 && decoded.info.loopCount == nil)
    }

    @Test(arguments: kinds) func pieces(kind: Kind) throws {
        let file = try kind.file()
        let whole = try Decoding(file)
        for size in [1, 13, 200] {
            let part = try Decoding(file, pieceSize: size)
            #expect(part.pixels == whole.pixels)
            #expect(part.frame.damage == nil && part.frame.alpha == whole.frame.alpha)
            #expect(part.waits > 0)
        }
    }

    @Test(arguments: kinds) func cutOffAnywhere(kind: Kind) throws {
        let file = try kind.file()
        let whole = try Decoding(file).pixels
        var lastRows = 0
        for length in 0..<file.count {
            switch Result(catching: { try Decoding(file.prefix(length)) }) {
            case .failure(let error as ImageError):
                #expect(lastRows == 0, "more bytes give no fewer rows; \(length)")
                #expect(length < 12 || error.code == .truncatedImage, "\(length): \(error)")
            case .failure(let error): Issue.record("\(length): \(error)")
            case .success(let part):
                let rows = (0..<70).first { part.pixels.rows($0..<$0 + 1) != whole.rows($0..<$0 + 1) } ?? 70
                #expect(rows >= lastRows, "more bytes give no fewer rows; \(length)")
                #expect(part.pixels.isClear(from: rows))
                #expect(part.frame.damage?.code == (rows == 70 ? part.frame.damage?.code : .truncatedImage))
                lastRows = rows
            }
        }
        #expect(lastRows > 0)
    }

    @Test(arguments: kinds) func changedAnywhere(kind: Kind) throws {
        let file = try kind.file()
        var random = UInt64(kind.options.count) &+ 99
        for _ in 0..<600 {
            var copy = file
            for _ in 0..<3 {
                random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                copy[Int(random >> 33) % copy.count] ^= 1 << UInt8(random >> 60 & 7)
            }
            do { _ = try Decoding(copy) } catch { #expect(error is ImageError) }
        }
    }

    @Test(arguments: 1...8) func orientationIsBakedIn(value: Int) throws {
        let orientation = try #require(Orientation(rawValue: value))
        let upright = Pixels.sample(width: 40, height: 24)
        let stored = upright.stored(as: orientation)
        let plain = try Tool.run("cwebp", "-quiet", "-lossless", "-o", "@out", "--", "@in", input: stored.ppm)
        let block: [UInt8] = [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(value), 0, 0]
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("kuva-exif-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(block).write(to: folder)
        let file = try Tool.run("webpmux", "-set", "exif", folder.path, "@in", "-o", "@out", input: plain)
        for size in [Int.max, 50] {
            let decoded = try Decoding(file, pieceSize: size)
            #expect(decoded.info.orientation == orientation)
            #expect(decoded.pixels == upright, "lossless, so it is the picture itself")
        }
    }

    /// The header does not say how many frames there are: they are counted as they come.
    @Test func framesAreCountedAsTheyCome() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("kuva-count-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var names: [String] = []
        for number in 0..<5 {
            let picture = Pixels.sample(width: 20 + number, height: 20)
            names.append(folder.appendingPathComponent("\(number)").path)
            let frame = try Tool.run("cwebp", "-quiet", "-lossless", "-o", "@out", "--", "@in", input: picture.ppm)
            try frame.write(to: URL(fileURLWithPath: names[number]))
        }
        let file = try Tool.run("webpmux", options: names.flatMap { ["-frame", $0, "+50"] } + ["-o", "@out"])
        let decoder = try #require(
            CodecRegistry.builtIn.makeDecoder(forPrefix: file, options: DecodeOptions(targetSize: nil))
        )
        var counts: [Int] = []
        for start in stride(from: 0, to: file.count, by: 64) {
            let end = min(file.count, start + 64)
            decoder.append(file[start..<end], isLast: end == file.count)
            if case .done(let info) = try decoder.readInfo() { counts.append(info.frameCount) }
        }
        #expect(counts == counts.sorted())
        #expect(counts.first == 1)
        #expect(counts.last == 5)
    }

    /// Two frames of which the first covers a part of the canvas only.
    @Test func firstFrameLiesOnItsCanvas() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("kuva-frames-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let picture = Pixels.sample(width: 16, height: 10)
        let small = try Tool.run("cwebp", "-quiet", "-lossless", "-o", "@out", "--", "@in", input: picture.ppm)
        let large = try Tool.run(
            "cwebp",
            "-quiet",
            "-lossless",
            "-o",
            "@out",
            "--",
            "@in",
            input: Pixels.sample(width: 30, height: 20).ppm
        )
        let (first, second) = (folder.appendingPathComponent("1"), folder.appendingPathComponent("2"))
        try small.write(to: first)
        try large.write(to: second)
        let file = try Tool.run(
            "webpmux",
            "-frame",
            first.path,
            "+120+6+4",
            "-frame",
            second.path,
            "+80",
            "-loop",
            "3",
            "-o",
            "@out"
        )
        var expected = Pixels(width: 30, height: 20, bytes: [UInt8](repeating: 0, count: 2400))
        for y in 0..<10 { for x in 0..<16 { expected[x + 6, y + 4] = picture[x, y] } }
        for size in [Int.max, 7] {
            let decoded = try Decoding(file, pieceSize: size)
            #expect(decoded.pixels == expected)
            #expect(decoded.frame.alpha == .premultiplied)
            #expect(decoded.frame.duration == .milliseconds(120))
            #expect(decoded.info.loopCount == 3)
            #expect(decoded.info.frameCount == (size == .max ? 2 : 1), "one is known while the other has not come")
        }
    }

    @Test func limitsAreNamed() throws {
        let file = try Kind(options: ["-q", "80"]).file()
        let changes: [(String, (inout DecodeLimits) -> Void)] = [
            ("maximumSide", { $0.maximumSide = 69 }),
            ("maximumSourcePixels", { $0.maximumSourcePixels = 53 * 70 - 1 }),
            ("maximumOutputPixels", { $0.maximumOutputPixels = 53 * 70 - 1 }),
        ]
        for (name, change) in changes {
            var options = DecodeOptions()
            change(&options.limits)
            let error = #expect(throws: ImageError.self) { try Decoding(file, options: options) }
            #expect(error?.code == .limitExceeded)
            #expect(error?.advice.contains(name) == true)
        }
    }

    @Test func cancelledStaysCancelled() throws {
        let flag = CancellationFlag()
        let decoder = WebPDecoder(options: DecodeOptions(cancellation: flag))
        decoder.append(try Kind(options: ["-q", "80"]).file(), isLast: true)
        guard case .done(let info) = try decoder.readInfo() else { return #expect(Bool(false)) }
        var canvas = try PixelBufferPool.shared.canvas(info.outputLayout)
        flag.cancel()
        for _ in 0..<2 {
            #expect { _ = try decoder.decodeFrame(into: &canvas) } throws: { ($0 as? ImageError)?.code == .cancelled }
        }
    }

    @Test func scaledPictureIsWhole() throws {
        let file = try Kind(options: ["-lossless"], hasAlpha: true).file()
        let options = DecodeOptions(targetSize: TargetSize(PixelSize(width: 20, height: 20)))
        let decoded = try Decoding(file, options: options)
        #expect((decoded.pixels.width, decoded.pixels.height) == (15, 20))
        #expect(decoded.pixels.rows(19..<20).contains { $0 > 0 })
    }
}
