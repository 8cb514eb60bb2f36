import Foundation
import KuvaCore
import Testing

@testable import KuvaCodecs

@Suite("AVIF decoder", .enabled(if: Tool.isPresent("avifenc") && Tool.isPresent("avifdec") && Tool.python != nil))
struct AVIFDecoderTests {
    /// A PNG of a gradient with alpha, 150 × 90.
    private static let png = try? Tool.run(
        Tool.python ?? "python3",
        "-c",
        """
        import sys; from PIL import Image
        p = bytes(v for y in range(90) for x in range(150) for v in (x, y * 2, (x * y) % 256, min(255, x * 2)))
        Image.frombytes('RGBA', (150, 90), p).save(sys.argv[1], 'PNG')
        """,
        "@out"
    )

    private static func avif(_ options: String...) throws -> Data {
        try Tool.run(
            "avifenc",
            options: ["-s", "8", "-j", "1"] + options + ["@in.png", "@out.avif"],
            input: png ?? Data()
        )
    }

    private static func reference(_ avif: Data) throws -> [UInt8] {
        let png = try Tool.run("avifdec", "-c", "dav1d", "-d", "8", "@in.avif", "@out.png", input: avif)
        return Reference.premultiplied(try Reference.pillow(png))
    }

    @Test(arguments: ["444", "422", "420"], ["8", "10", "12"])
    func samplingsAndDepths(sampling: String, depth: String) throws {
        let file = try Self.avif("-y", sampling, "-d", depth)
        let decoded = try Decoding(file)
        #expect(try #require(decoded.pixels.difference(from: try Self.reference(file))) <= (depth == "8" ? 0 : 2))
        #expect(decoded.info.bitsPerChannel == Int(depth))
        #expect(decoded.info.hasAlpha)
        let name = sampling.map { String($0) }.joined(separator: ":")
        #expect(decoded.info.pixelDescription == "YUV \(name) and alpha")
        #expect(decoded.info.outputLayout.colorSpace == .sRGB)
    }

    @Test func multipliedAlphaIsMultipliedOnce() throws {
        let straight = try Decoding(try Self.avif("-y", "444", "--min", "0", "--max", "0"))
        let multiplied = try Decoding(try Self.avif("-y", "444", "--min", "0", "--max", "0", "--premultiply"))
        #expect(try #require(multiplied.pixels.difference(from: straight.pixels)) <= 3)
    }

    /// Turned and mirrored by the file, a picture is upright after decoding; avifdec gives it as stored.
    @Test(arguments: 0..<4, [nil, 0, 1]) func turnedOnce(angle: Int, mirror: Int?) throws {
        let file = try Self.avif(["--irot", "\(angle)"] + (mirror.map { ["--imir", "\($0)"] } ?? []))
        let decoded = try Decoding(file)
        let stored = Pixels(width: 150, height: 90, bytes: try Self.reference(file))
        for (x, y) in [(0, 0), (149, 0), (0, 89), (149, 89), (75, 20)] {
            var (u, v, w, h) = (x, y, 150, 90)
            for _ in 0..<angle { (u, v, w, h) = (v, w - 1 - u, h, w) }  // a quarter turn anticlockwise
            if mirror == 0 { v = h - 1 - v }
            if mirror == 1 { u = w - 1 - u }
            #expect(decoded.pixels[u, v] == stored[x, y])
        }
        #expect(decoded.pixels.width == (angle % 2 == 0 ? 150 : 90))
    }

    private static func avif(_ options: [String]) throws -> Data {
        try Tool.run(
            "avifenc",
            options: ["-s", "8", "-j", "1"] + options + ["@in.png", "@out.avif"],
            input: png ?? Data()
        )
    }

    @Test func gridCutOffGivesItsFirstRows() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("kuva-grid-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let names = try ["-noop", "-flip", "-negate"].map { change in
            let name = folder.appendingPathComponent("\(change).png").path
            let options = ["ppm:@in"] + (change == "-noop" ? [] : [change]) + ["png:@out"]
            let tile = Pixels.sample(width: 128, height: 64).ppm
            try Tool.run("convert", options: options, input: tile).write(to: URL(fileURLWithPath: name))
            return name
        }
        let options = ["-s", "8", "-j", "1", "--grid", "1x3"] + names + ["@out.avif"]
        let file = try Tool.run("avifenc", options: options)
        let whole = try Decoding(file)
        #expect((whole.pixels.width, whole.pixels.height) == (128, 192))
        let part = try Decoding(file.dropLast(20))
        #expect(part.frame.damage?.code == .truncatedImage)
        #expect(part.pixels.leadingOpaqueRows == 128)
        #expect(part.pixels.isClear(from: 128))
        // The last row's colour leans on the tile that is missing.
        #expect(Array(part.pixels.rows(0..<127)) == Array(whole.pixels.rows(0..<127)))
    }

    @Test func sizeIsRefusedBeforeItIsDecoded() throws {
        var options = DecodeOptions()
        options.limits.maximumOutputPixels = 150 * 90 - 1
        let file = try Self.avif()
        #expect { _ = try Decoding(file, options: options) } throws: { ($0 as? ImageError)?.code == .limitExceeded }
        options.limits.maximumOutputPixels += 1
        #expect(try Decoding(file, options: options).pixels.width == 150)
    }

    /// The description needs the boxes, which stand before the picture's data.
    @Test func infoComesBeforeTheData() throws {
        let file = try Self.avif()
        let data = try #require(file.range(of: Data("mdat".utf8))).upperBound
        let decoder = try #require(CodecRegistry.builtIn.makeDecoder(forPrefix: file, options: DecodeOptions()))
        decoder.append(file.prefix(data + 8), isLast: false)
        guard case .done(let info) = try decoder.readInfo() else { return #expect(Bool(false), "the boxes are there") }
        #expect(info.storedSize == PixelSize(width: 150, height: 90))
        var canvas = try PixelBufferPool.shared.canvas(info.outputLayout)
        guard case .needsMoreBytes = try decoder.decodeFrame(into: &canvas) else {
            return #expect(Bool(false), "the data is not")
        }
        decoder.append(file.suffix(from: data + 8), isLast: true)
        guard case .done(let frame) = try decoder.decodeFrame(into: &canvas) else {
            return #expect(Bool(false), "all is there")
        }
        #expect(Pixels(canvas.freeze(alpha: frame.alpha)).difference(from: try Decoding(file).pixels) == 0)
    }
}

@Suite("Repetition of a sequence")
struct SequenceRepetitionTests {
    private func box(_ type: String, _ content: [UInt8]...) -> [UInt8] {
        let body = content.flatMap { bytes -> [UInt8] in bytes }
        return [0, 0, UInt8((body.count + 8) >> 8), UInt8(truncatingIfNeeded: body.count + 8)] + Array(type.utf8) + body
    }

    /// Boxes of ISO/IEC 14496-12: 8.3.2 (track header) and 8.6.6 (edit list), version 0.
    private func file(flags: UInt8, edit: UInt8, duration: [UInt8]) -> Data {
        let header = [UInt8](repeating: 0, count: 20) + duration
        let list: [UInt8] = [0, 0, 0, flags, 0, 0, 0, 1, 0, 0, 0, edit]
        return Data(
            box("ftyp", Array("avis".utf8))
                + box("moov", box("mvhd"), box("trak", box("tkhd", header), box("edts", box("elst", list))))
        )
    }

    private func loopCount(_ file: Data) -> Int? {
        file.withUnsafeBytes { SequenceRepetition.loopCount(in: BoundedBytes($0)) }
    }

    @Test func repeatsUntilTheTrackIsFilled() throws {
        #expect(loopCount(file(flags: 0, edit: 10, duration: [0, 0, 0, 10])) == 1)
        #expect(loopCount(file(flags: 1, edit: 10, duration: [0, 0, 0, 30])) == 3)
        #expect(loopCount(file(flags: 1, edit: 10, duration: [0, 0, 0, 31])) == 4)
        #expect(loopCount(file(flags: 1, edit: 10, duration: [255, 255, 255, 255])) == 0)
        #expect(loopCount(file(flags: 1, edit: 0, duration: [0, 0, 0, 30])) == nil)
        #expect(loopCount(file(flags: 1, edit: 10, duration: [])) == nil)
        #expect(loopCount(Data(box("ftyp"))) == nil)
    }
}
