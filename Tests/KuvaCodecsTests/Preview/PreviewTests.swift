import Foundation
import KuvaCore
import Testing

@testable import KuvaCodecs

/// Pictures that are shown while they come: the rows that have come are those of the whole picture, the work is that of
/// one decode, and the picture at the end is the same as without previews.
@Suite("Previews", .enabled(if: Tool.hasJPEG && Tool.hasWebP && Tool.python != nil))
struct PreviewTests {
    struct Kind: CustomTestStringConvertible, Sendable {
        let name: String
        let file: Data
        /// Whether previews are rows of the final picture, not the whole of it in a coarse form.
        let isByRows: Bool
        var testDescription: String { name }
    }

    static let kinds: [Kind] = {
        let picture = Pixels.sample(width: 203, height: 160)
        func pillow(_ name: String, _ code: String) -> Data? {
            let script = "import sys; from PIL import Image; i = Image.open(sys.argv[1])\n\(code)"
            return Tool.python.flatMap { try? Tool.run($0, "-c", script, "@in", "@out", input: picture.ppm) }
        }
        let made: [(String, Data?, Bool)] = [
            ("JPEG", try? Tool.run("cjpeg", "-outfile", "@out", "@in", input: picture.ppm), true),
            (
                "JPEG, progressive",
                try? Tool.run("cjpeg", "-progressive", "-outfile", "@out", "@in", input: picture.ppm), false
            ),
            ("PNG", pillow("PNG", "i.save(sys.argv[2], 'png')"), true),
            (
                "PNG, turned",
                pillow("PNG", "e = i.getexif(); e[274] = 8; i.save(sys.argv[2], 'png', exif=e)"), false
            ),
            ("PNG, interlaced", pillow("PNG", interlacing), false),
            ("GIF", pillow("GIF", "i.quantize(200).save(sys.argv[2], 'gif', interlace=0)"), true),
            ("GIF, interlaced", pillow("GIF", "i.quantize(200).save(sys.argv[2], 'gif', interlace=1)"), false),
            ("WebP", try? Tool.run("cwebp", "-q", "90", "@in", "-o", "@out", input: picture.ppm), true),
        ]
        return made.compactMap { name, file, isByRows in file.map { Kind(name: name, file: $0, isByRows: isByRows) } }
    }()

    /// Pillow writes no interlaced PNG; the passes are those of PNG third edition, §8.2.
    private static let interlacing = """
        import zlib, struct
        def chunk(t, b): return struct.pack('>I', len(b)) + t + b + struct.pack('>I', zlib.crc32(t + b))
        w, h = i.size; raw = b''
        for x0, y0, dx, dy in [(0,0,8,8),(4,0,8,8),(0,4,4,8),(2,0,4,4),(0,2,2,4),(1,0,2,2),(0,1,1,2)]:
            for y in range(y0, h, dy): raw += b'\\0' + b''.join(bytes(i.getpixel((x, y))) for x in range(x0, w, dx))
        data = zlib.compress(raw); pieces = [data[n:n + 8192] for n in range(0, len(data), 8192)]
        open(sys.argv[2], 'wb').write(b'\\x89PNG\\r\\n\\x1a\\n'
            + chunk(b'IHDR', struct.pack('>IIBBBBB', w, h, 8, 2, 0, 0, 1))
            + b''.join(chunk(b'IDAT', p) for p in pieces) + chunk(b'IEND', b''))
        """

    struct Shown {
        var previews: [Pixels] = []
        var final: Pixels
        var damage: ImageError?
    }

    /// Gives a file in pieces, asks for a preview after each, and for the picture at the end.
    static func show(_ file: Data, pieces: Int, options: DecodeOptions = DecodeOptions()) throws -> Shown {
        let made = CodecRegistry.builtIn.makeDecoder(forPrefix: file, options: options)
        guard let decoder = made as? any ProgressiveImageDecoder else { throw Incomplete() }
        var previews: [Pixels] = []
        let size = max(1, file.count / pieces)
        for start in stride(from: 0, to: file.count, by: size) {
            let end = min(file.count, start + size)
            decoder.append(file[(file.startIndex + start)..<(file.startIndex + end)], isLast: false)
            guard case .done(let info) = try decoder.readInfo() else { continue }
            var canvas = try dirtyCanvas(info.outputLayout)
            guard case .done(let frame) = try decoder.decodePreview(into: &canvas) else { continue }
            previews.append(Pixels(canvas.freeze(alpha: frame.alpha)))
        }
        decoder.append(Data(), isLast: true)
        guard case .done(let info) = try decoder.readInfo() else { throw Incomplete() }
        var canvas = try dirtyCanvas(info.outputLayout)
        guard case .done(let frame) = try decoder.decodeFrame(into: &canvas) else { throw Incomplete() }
        return Shown(previews: previews, final: Pixels(canvas.freeze(alpha: frame.alpha)), damage: frame.damage)
    }

    struct Incomplete: Error {}

    /// A canvas full of bytes that no decoder writes by chance.
    static func dirtyCanvas(_ layout: PixelLayout) throws -> PixelCanvas {
        var canvas = try PixelBufferPool.shared.canvas(layout)
        canvas.withUnsafeMutableBytes { bytes in
            for index in bytes.indices { bytes[index] = [0xA5, 0x5A, 0xC3, 0x11][index % 4] }
        }
        return canvas
    }

    @Test(arguments: kinds, [7, 40, 2000]) func endIsThatOfOneShot(kind: Kind, pieces: Int) throws {
        let targets = [
            nil, TargetSize(PixelSize(width: 37, height: 90)), TargetSize(PixelSize(width: 150, height: 150)),
        ]
        for target in targets {
            let options = DecodeOptions(targetSize: target)
            let whole = try Decoding(kind.file, options: options).pixels
            let shown = try Self.show(kind.file, pieces: pieces, options: options)
            #expect(shown.final == whole)
            #expect(shown.damage == nil)
            #expect(!shown.previews.isEmpty, "\(kind.name) in \(pieces) pieces")
            // No more than a fixed number of copies or passes, in however many pieces a file comes.
            #expect(shown.previews.count <= FrameHold.maximumPreviews + 1)
        }
    }

    @Test(arguments: kinds.filter(\.isByRows)) func rowsAreThoseOfTheWholePicture(kind: Kind) throws {
        let whole = try Decoding(kind.file).pixels
        let shown = try Self.show(kind.file, pieces: 60)
        var last = 0
        for preview in shown.previews {
            let rows = preview.leadingOpaqueRows
            #expect(rows >= last && rows > 0)
            #expect(preview.rows(0..<rows) == whole.rows(0..<rows))
            #expect(preview.isClear(from: rows))
            last = rows
        }
        #expect(shown.previews.count >= 4, "\(kind.name)")
    }

    /// Coarse previews come nearer to the picture, and have no pixel that the memory held before.
    @Test(arguments: kinds.filter { !$0.isByRows && !$0.name.contains("turned") })
    func coarsePreviewsGetSharper(kind: Kind) throws {
        let whole = try Decoding(kind.file).pixels
        let shown = try Self.show(kind.file, pieces: 100)
        let errors = shown.previews.map { preview in
            zip(preview.bytes, whole.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        }
        #expect(errors.count >= 3, "\(kind.name)")
        // A scan that sharpens lightness alone may move a noisy picture away by a little.
        #expect(zip(errors, errors.dropFirst()).allSatisfy { $1 <= $0 * 21 / 20 }, "\(kind.name): \(errors)")
        #expect(shown.previews.allSatisfy { $0.leadingOpaqueRows == $0.height })
    }

    /// After the first scan of a progressive JPEG, the preview is as near to the picture as what djpeg makes of the file
    /// up to there. It is not the same: the library smooths less once it has seen the next scan's header.
    @Test func scansAreThoseOfTheLibrary() throws {
        let kind = try #require(Self.kinds.first { $0.name == "JPEG, progressive" })
        let scans = kind.file.ranges(of: Data([0xFF, 0xDA])).map(\.lowerBound)
        let first = kind.file[..<scans[1]]
        let expected = try #require(
            Pixels(pnm: try Tool.run("djpeg", "-outfile", "@out", "@in", input: first + Data([0xFF, 0xD9])))
        )
        let made = CodecRegistry.builtIn.makeDecoder(forPrefix: kind.file, options: DecodeOptions())
        let decoder = try #require(made as? any ProgressiveImageDecoder)
        let header = 2 + Int(kind.file[scans[1] + 2]) << 8 + Int(kind.file[scans[1] + 3])
        decoder.append(kind.file.prefix(scans[1] + header), isLast: false)
        guard case .done(let info) = try decoder.readInfo() else { return #expect(Bool(false)) }
        var canvas = try Self.dirtyCanvas(info.outputLayout)
        guard case .done(let frame) = try decoder.decodePreview(into: &canvas) else { return #expect(Bool(false)) }
        let (whole, preview) = (try Decoding(kind.file).pixels, Pixels(canvas.freeze(alpha: frame.alpha)))
        func error(_ pixels: Pixels) -> Int {
            zip(pixels.bytes, whole.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        }
        #expect(error(preview) < error(expected) * 6 / 5, "\(error(preview)) \(error(expected))")
    }

    @Test func errorsStay() throws {
        let kind = try #require(Self.kinds.first { $0.name == "PNG" })
        let flag = CancellationFlag()
        let options = DecodeOptions(cancellation: flag)
        let made = CodecRegistry.builtIn.makeDecoder(forPrefix: kind.file, options: options)
        let decoder = try #require(made as? any ProgressiveImageDecoder)
        decoder.append(kind.file.prefix(kind.file.count / 2), isLast: false)
        guard case .done(let info) = try decoder.readInfo() else { return #expect(Bool(false)) }
        var canvas = try PixelBufferPool.shared.canvas(info.outputLayout)
        flag.cancel()
        for _ in 0..<2 {
            let error = #expect(throws: ImageError.self) { _ = try decoder.decodePreview(into: &canvas) }
            #expect(error?.code == .cancelled)
        }
    }

    /// Who begins with the frame gets no previews: its rows are in the caller's canvas.
    @Test func afterAFrameIsBegunThereIsNoPreview() throws {
        for kind in Self.kinds {
            let made = CodecRegistry.builtIn.makeDecoder(forPrefix: kind.file, options: DecodeOptions())
            let decoder = try #require(made as? any ProgressiveImageDecoder)
            decoder.append(kind.file.prefix(kind.file.count / 2), isLast: false)
            guard case .done(let info) = try decoder.readInfo() else { continue }
            var canvas = try PixelBufferPool.shared.canvas(info.outputLayout)
            guard case .needsMoreBytes = try decoder.decodeFrame(into: &canvas) else { continue }
            var other = try PixelBufferPool.shared.canvas(info.outputLayout)
            guard case .needsMoreBytes = try decoder.decodePreview(into: &other) else {
                Issue.record("\(kind.name) has a preview")
                continue
            }
        }
    }
}
