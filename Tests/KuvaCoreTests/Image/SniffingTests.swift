import Foundation
import KuvaCore
import KuvaTesting
import Testing

@Suite("Sniffing")
struct SniffingTests {
    static func box(_ major: String, _ compatible: [String]) -> [UInt8] {
        let brands = Array((major + "\0\0\0\0" + compatible.joined()).utf8)
        return [0, 0, 0, UInt8(8 + brands.count)] + Array("ftyp".utf8) + brands + Array("\0\0\0\u{8}free".utf8)
    }

    static func chunk(_ type: String, _ byteCount: Int) -> [UInt8] {
        let length = withUnsafeBytes(of: UInt32(byteCount).bigEndian) { Array($0) }
        return length + Array(type.utf8) + [UInt8](repeating: 7, count: byteCount + 4)
    }

    static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", 13)

    static func bmp(header: UInt8) -> [UInt8] {
        [0x42, 0x4D, 0x46, 0, 0, 0, 0, 0, 0, 0, 0x36, 0, 0, 0, header, 0, 0, 0, 1, 0, 0, 0]
    }

    static func icon(type: UInt8) -> [UInt8] {
        [0, 0, type, 0, 1, 0, 16, 16, 0, 0, 1, 0, 32, 0, 40, 1, 0, 0, 22, 0, 0, 0, 40, 0, 0, 0]
    }

    /// Bytes written as characters: U+00FF is 255.
    static func latin(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8($0.value) } }

    static let plain: [(ImageFormat, [UInt8])] = [
        (.jpeg, latin("\u{FF}\u{D8}\u{FF}\u{E0}\0\u{10}JFIF")),
        (.jpeg, latin("\u{FF}\u{D8}\u{FF}\u{E1}\0\u{10}Exif")),
        (.jpeg, latin("\u{FF}\u{D8}\u{FF}\u{DB}\0\u{43}")),
        (.gif, latin("GIF87a\u{1}\0\u{1}\0")),
        (.gif, latin("GIF89a\u{1}\0\u{1}\0")),
        (.webp, latin("RIFF\u{1}\0\0\0WEBPVP8 ")),
        (.webp, latin("RIFF\u{1}\0\0\0WEBPVP8X")),
        (.jpegXL, latin("\u{FF}\n\u{F8}\u{1}")),
        (.jpegXL, latin("\0\0\0\u{C}JXL \r\n\u{87}\n\0\0\0\u{14}")),
        (.tiff, latin("II*\0\u{8}\0\0\0")),
        (.tiff, latin("MM\0*\0\0\0\u{8}")),
        (.tiff, latin("II+\0\u{8}\0\0\0\u{10}")),
        (.tiff, latin("MM\0+\0\u{8}\0\0\0")),
        (.ico, icon(type: 1)),
        (.ico, icon(type: 2)),
        (.pdf, latin("%PDF-1.7\n")),
    ]

    static let chunked: [(ImageFormat, [UInt8])] = [
        (.png, png + chunk("IDAT", 10)),
        (.png, png + chunk("tEXt", 70_000) + chunk("IDAT", 10)),
        (.png, png + chunk("IDAT", 10) + chunk("acTL", 8)),
        (.apng, png + chunk("acTL", 8) + chunk("IDAT", 10)),
        (.apng, png + chunk("iCCP", 70_000) + chunk("acTL", 8)),
    ]

    static let branded: [(ImageFormat, [UInt8])] = [
        (.avif, box("avif", ["mif1", "miaf"])),
        (.avif, box("mif1", ["mif1", "avif", "miaf"])),
        (.avif, box("mif1", ["miaf", "MA1B", "avif"])),
        (.avis, box("avis", ["avif", "avis", "msf1", "mif1"])),
        (.avis, box("msf1", ["avis", "avif", "miaf"])),
        (.heic, box("heic", ["mif1", "heic"])),
        (.heic, box("heix", ["mif1", "heix"])),
        (.heic, box("hevc", ["msf1", "hevc"])),
        (.heic, box("mif1", ["mif1", "heic"])),
        (.heic, box("msf1", ["mif1", "hevc", "heic"])),
        (.heif, box("mif1", ["mif1", "j2ki"])),
        (.heif, box("unif", ["mif1", "unif"])),
        (.avif, latin("\0\0\0\u{1}ftyp\0\0\0\0\0\0\0\u{1C}avif\0\0\0\0mif1")),
        (.avif, latin("\0\0\0\u{1}ftyp\0\0\0\0\0\0\0\u{1C}mif1\0\0\0\0avif")),
    ]

    static let samples: [(ImageFormat, [UInt8])] = {
        var samples = plain + chunked + branded
        for header: UInt8 in [12, 16, 40, 52, 56, 64, 108, 124] { samples.append((.bmp, bmp(header: header))) }
        for document in documents + utf16 { samples.append((.svg, document)) }
        return samples
    }()

    static let documents: [[UInt8]] =
        [
            "<svg xmlns='http://www.w3.org/2000/svg'/>",
            "<svg>",
            "\u{FEFF}<svg width='1'/>",
            "\n\t <svg\n/>",
            "<?xml version=\"1.0\"?>\n<svg/>",
            "<!-- <html> --><svg/>",
            "<?xml version='1.0'?><!-- a > b --><?xml-stylesheet href='a>b'?><svg:svg/>",
            "<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" \"http://www.w3.org/svg11.dtd\"><svg/>",
            "<!DOCTYPE svg [ <!ENTITY a \"<html>]>\"> <!-- don't ]> --> <?p ']>?> ]>\n<svg/>",
        ].map { Array($0.utf8) }

    static let utf16: [[UInt8]] = {
        let units = Array("\u{FEFF}<?xml version=\"1.0\"?><!-- \u{3C3C}\u{3E00}é --><svg/>".utf16)
        let little = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let big = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        return [little, big]
    }()

    @Test func wholeSamplesAreKnown() {
        for (format, bytes) in Self.samples {
            #expect(ImageFormat(sniffing: Data(bytes)) == format, "\(bytes.prefix(40))")
        }
    }

    @Test func everyPrefixIsRightOrUnknownAndNothingIsReadPastTheEnd() {
        for (format, bytes) in Self.samples {
            let lengths =
                bytes.count > 1000 ? Array(0...100) + Array((bytes.count - 40)...bytes.count) : Array(0...bytes.count)
            for length in lengths {
                let found = withGuardedBytes(bytes.prefix(length)) { ImageFormat(sniffing: $0) }
                let allowed: [ImageFormat] = format == .apng ? [.apng, .png, .unknown] : [format, .unknown]
                #expect(allowed.contains(found), "\(format), \(length) bytes")
            }
        }
    }

    @Test func emptyInputIsUnknown() {
        #expect(ImageFormat(sniffing: UnsafeRawBufferPointer(start: nil, count: 0)) == .unknown)
        #expect(ImageFormat(sniffing: Data()) == .unknown)
    }

    @Test(arguments: [
        "<!DOCTYPE html><html><body><svg></svg></body></html>", "<html><svg/></html>", "<!-- <svg> --><html>",
        "{\"svg\": \"<svg/>\"}", "[1, 2]", "a text about <svg>", "<svgfoo/>", "<!DOCTYPE svg>", "<svg", "< svg/>",
        "<!-- <svg/>", "<?xml version='1.0'? <svg/>", "BM is how this text of more than eighteen bytes begins",
        "RIFF....WAVEfmt ", "GIF90a", "PDF-1.7", "MM*", "II*", "ftyp", "\0\0\0\u{14}ftypisom\0\0\0\0mp41",
        "\0\0\0\u{14}ftypqt  \0\0\0\0qt  ", "\0\0\0\u{4}ftypmif1", "\0\0\0\0ftypmif1",
    ])
    func otherThingsAreUnknown(_ text: String) {
        #expect(withGuardedBytes(Array(text.utf8)) { ImageFormat(sniffing: $0) } == .unknown)
    }

    @Test func signaturesWithAWrongByteAreUnknown() {
        for index in 0..<8 {
            var bytes = Self.png + Self.chunk("IDAT", 10)
            bytes[index] ^= 0x20
            #expect(ImageFormat(sniffing: Data(bytes)) == .unknown)
        }
        #expect(ImageFormat(sniffing: Data(Self.bmp(header: 41))) == .unknown)
        #expect(ImageFormat(sniffing: Data(Self.icon(type: 3))) == .unknown)
        var behindItself = Self.icon(type: 1)
        behindItself[18] = 21
        #expect(ImageFormat(sniffing: Data(behindItself)) == .unknown)
    }

    @Test func damagedBytesAreNeverReadPastTheEnd() {
        var generator = SeededGenerator(seed: 3)
        for (_, bytes) in Self.samples where bytes.count < 1000 {
            for _ in 0..<50 {
                var damaged = bytes.prefix(Int.random(in: 1...bytes.count, using: &generator))
                for _ in 0..<3 {
                    damaged[Int.random(in: 0..<damaged.count, using: &generator)] = .random(
                        in: 0...255,
                        using: &generator
                    )
                }
                _ = withGuardedBytes(damaged) { ImageFormat(sniffing: $0) }
            }
        }
    }

    @Test func slicesOfDataAreReadFromTheirOwnStart() {
        let data = Data([1, 2, 3] + Array("GIF89a".utf8))
        #expect(ImageFormat(sniffing: data.dropFirst(3)) == .gif)
    }
}
