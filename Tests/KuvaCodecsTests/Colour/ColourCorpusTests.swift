import Foundation
import KuvaCodecs
import KuvaCore
import Testing

/// Pictures of the corpus whose colours are not sRGB, against what Little CMS makes of them through Pillow.
@Suite("Colour corpus", .enabled(if: Corpus.isPresent && Tool.python != nil))
struct ColourCorpusTests {
    static let entries = (Corpus.entries("photos") + Corpus.entries("formats")).filter {
        ["jpeg", "png", "webp"].contains($0["format"]) && !$0["icc"].isEmpty
    }

    /// Profiles that their makers call sRGB change no colour by more than a level, whoever made them.
    private static func isCalledSRGB(_ name: String) -> Bool {
        name.hasPrefix("sRGB") || name == "GIMP built-in sRGB"
    }

    @Test(arguments: entries) func convertsAsLittleCMSDoes(entry: Corpus.Entry) throws {
        let file = try entry.data
        let decoded = try CodecRegistry.builtIn.decode(file)
        let display = Pixels(decoded.image.pixels).stored(as: decoded.info.orientation)
        let stored = Pixels(
            try CodecRegistry.builtIn.decode(file, options: DecodeOptions(pixels: .stored)).image.pixels
        )
        let name = entry["icc"]
        if name.hasPrefix("unreadable") {
            // One piece of a profile that says that there are more is none.
            #expect((decoded.image.pixels.layout.colorSpace == .sRGB) == (decoded.info.iccProfileByteCount == 0))
            #expect(display == stored.premultiplied)
            return
        }
        #expect(decoded.image.pixels.layout.colorSpace == .sRGB)
        if Self.isCalledSRGB(name) {
            // Passed over: not a byte changes.
            #expect(display == stored.premultiplied)
        }
        let expected = try Self.converted(file).premultiplied
        let difference = display.maximumDifference(from: expected)
        #expect(difference <= 2, "\(name): \(difference)")
    }

    /// The pixels of a file as Pillow decodes and Little CMS converts them, perceptual intent, with straight alpha.
    static func converted(_ file: Data) throws -> Pixels {
        let script = """
            import sys, io; from PIL import Image, ImageCms
            i = Image.open(sys.argv[1]); icc = i.info.get('icc_profile'); i.load()
            # Of 16 bits the high byte counts, which Pillow's own conversion of grey does not take.
            if i.mode.startswith('I'): i = i.point(lambda v: v * (1 / 256)).convert('L')
            alpha = i.getchannel('A') if 'A' in i.mode else Image.new('L', i.size, 255)
            profile = ImageCms.ImageCmsProfile(io.BytesIO(icc)); space = profile.profile.xcolor_space.strip()
            mode = {'GRAY': 'L', 'RGB': 'RGB', 'CMYK': 'CMYK'}[space]
            if i.mode == 'LA': i = i.getchannel('L')
            if i.mode != mode: i = i.convert(mode)
            i = ImageCms.profileToProfile(i, profile, ImageCms.createProfile('sRGB'), outputMode='RGB')
            i.putalpha(alpha)
            sys.stdout.buffer.write(i.width.to_bytes(4, 'big') + i.height.to_bytes(4, 'big') + i.tobytes())
            """
        return try Pixels(sized: [UInt8](Tool.run(#require(Tool.python), "-c", script, "@in", input: file)))
    }
}

extension Pixels {
    /// Width and height as four bytes each, then RGBA8.
    init(sized data: [UInt8]) {
        func number(_ offset: Int) -> Int { data[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        self.init(width: number(0), height: number(4), bytes: Array(data[8...]))
    }

    /// The largest difference of two bytes; 255 for pictures of different sizes.
    func maximumDifference(from other: Pixels) -> Int {
        guard width == other.width, height == other.height else { return 255 }
        return bytes.withUnsafeBufferPointer { a in
            other.bytes.withUnsafeBufferPointer { b in
                var largest = 0
                for index in a.indices { largest = max(largest, abs(Int(a[index]) - Int(b[index]))) }
                return largest
            }
        }
    }
}
