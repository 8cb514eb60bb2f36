import CKuvaPNG
import Foundation
import Testing

/// The reader in C with each level and each inflating library, on whole, cut-off and changed data.
@Suite("PNG pixels", .enabled(if: Tool.python != nil))
struct PNGInflateTests {
    private struct Outcome: Equatable {
        var status: kuva_png_status
        var rows: Int
        var pixels: [UInt8]
    }

    /// RGB, 300 by 200, as Pillow compresses it: filters and dynamic Huffman blocks as they are in the wild.
    private static let file: Data? = Tool.python.flatMap { python in
        let script = """
            import sys; from PIL import Image
            Image.open(sys.argv[1]).save(sys.argv[2], "PNG")
            """
        return try? Tool.run(python, "-c", script, "@in", "@out", input: Pixels.sample(width: 300, height: 200).ppm)
    }

    private func imageData(_ file: Data) -> [UInt8] {
        var (offset, result) = (8, [UInt8]())
        let bytes = Array(file)
        while offset + 12 <= bytes.count {
            let length = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            if bytes[offset + 4..<offset + 8].elementsEqual("IDAT".utf8) {
                result += bytes[offset + 8..<offset + 8 + length]
            }
            offset += 12 + length
        }
        return result
    }

    private func run(
        _ data: [UInt8],
        level: kuva_png_level = KUVA_PNG_BEST,
        backend: kuva_png_inflate_backend = KUVA_PNG_INFLATE_BEST,
        piece: Int = .max,
        rowsPerCall: Int = 7
    ) throws -> Outcome {
        let reader = try #require(kuva_png_pixels_new(300, 200, 8, 2, 0, nil, nil, level, backend))
        defer { kuva_png_pixels_free(reader) }
        var outcome = Outcome(
            status: KUVA_PNG_NEEDS_INPUT,
            rows: 0,
            pixels: [UInt8](repeating: 0, count: 300 * 200 * 4)
        )
        var position = 0
        while true {
            var (used, rows) = (0, 0)
            let count = min(piece, data.count - position)
            outcome.status = data.withUnsafeBufferPointer { input in
                outcome.pixels.withUnsafeMutableBufferPointer { out in
                    kuva_png_pixels_read(
                        reader,
                        input.baseAddress! + position,
                        count,
                        &used,
                        out.baseAddress! + outcome.rows * 1200,
                        1200,
                        min(rowsPerCall, 200 - outcome.rows),
                        &rows
                    )
                }
            }
            position += used
            outcome.rows += rows
            if outcome.status == KUVA_PNG_NEEDS_INPUT, position < data.count { continue }
            if outcome.status != KUVA_PNG_ROWS_FULL { return outcome }
        }
    }

    @Test func everyLevelAndLibraryGivesTheSame() throws {
        let data = imageData(try #require(Self.file))
        let whole = try run(data, level: KUVA_PNG_SCALAR, backend: KUVA_PNG_INFLATE_ZLIB)
        #expect(whole.status == KUVA_PNG_DONE)
        #expect(whole.rows == 200)
        let isSample = whole.pixels == Pixels.sample(width: 300, height: 200).bytes
        #expect(isSample)
        for level in [KUVA_PNG_SCALAR, KUVA_PNG_SSE41, KUVA_PNG_AVX2] {
            for backend in [KUVA_PNG_INFLATE_BEST, KUVA_PNG_INFLATE_ZLIB] {
                for piece in [1, 13, 4096, .max] {
                    let isEqual = try run(data, level: level, backend: backend, piece: piece) == whole
                    #expect(isEqual, "level \(level), backend \(backend), pieces of \(piece)")
                }
            }
        }
    }

    /// Both libraries get as far on data that end anywhere, but that ISA-L holds the last symbols back until it has bits
    /// for the longest one.
    @Test func cutOffDataGiveTheSameRows() throws {
        let data = imageData(try #require(Self.file))
        for length in stride(from: 0, to: data.count, by: 97) {
            let cut = Array(data[..<length]) + [0]
            let (best, zlib) = (
                try run(Array(cut.dropLast())), try run(Array(cut.dropLast()), backend: KUVA_PNG_INFLATE_ZLIB)
            )
            let isEqual = best.pixels[..<(best.rows * 1200)] == zlib.pixels[..<(best.rows * 1200)]
            #expect(isEqual)
            #expect(
                (zlib.rows - 1...zlib.rows).contains(best.rows),
                "\(length) bytes: \(best.rows) and \(zlib.rows) rows"
            )
            #expect(best.status == (best.rows == 200 ? KUVA_PNG_DONE : KUVA_PNG_NEEDS_INPUT))
        }
    }

    /// On changed data the libraries may notice at different places, but never give other rows before.
    @Test func changedDataGiveTheSameRowsUpToTheDamage() throws {
        let data = imageData(try #require(Self.file))
        var state: UInt64 = 5
        for _ in 0..<300 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            var copy = data
            copy[2 + Int(state >> 33) % (copy.count - 2)] ^= 1 << UInt8(state >> 60 & 7)
            let (best, zlib) = (try run(copy), try run(copy, backend: KUVA_PNG_INFLATE_ZLIB))
            let rows = min(best.rows, zlib.rows)
            let isEqual = best.pixels[..<(rows * 1200)] == zlib.pixels[..<(rows * 1200)]
            #expect(isEqual)
            #expect(abs(best.rows - zlib.rows) <= 1)
            #expect((best.status == KUVA_PNG_DONE) == (zlib.status == KUVA_PNG_DONE))
        }
    }

    @Test func numbersThatPNGDoesNotHave() {
        func make(_ width: UInt32, _ height: UInt32, _ depth: Int32, _ colour: Int32) -> OpaquePointer? {
            kuva_png_pixels_new(width, height, depth, colour, 0, nil, nil, KUVA_PNG_BEST, KUVA_PNG_INFLATE_BEST)
        }
        #expect(make(0, 1, 8, 0) == nil)
        #expect(make(1, 0, 8, 0) == nil)
        #expect(make(1, 1, 3, 0) == nil)
        #expect(make(1, 1, 16, 3) == nil)
        #expect(make(1, 1, 8, 3) == nil, "a palette is needed")
        #expect(make(1, 1, 8, 5) == nil)
    }

    /// The value that every CRC-32 of this polynomial has for these nine digits.
    @Test func checkValue() {
        let digits = Array("123456789".utf8)
        #expect(kuva_png_crc32(0, digits, 9) == 0xCBF4_3926)
        #expect(PNGChunk.crc(digits) == 0xCBF4_3926)
        for cut in 0...9 {
            #expect(kuva_png_crc32(kuva_png_crc32(0, digits, cut), Array(digits[cut...]), 9 - cut) == 0xCBF4_3926)
        }
    }
}
