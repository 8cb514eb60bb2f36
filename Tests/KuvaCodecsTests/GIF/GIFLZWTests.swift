import CKuvaGIF
import Testing

/// The decompressor on codes drawn by hand; what they stand for is worked out from GIF89a's appendix F.
@Suite("GIF LZW")
struct GIFLZWTests {
    private struct Outcome: Equatable {
        var status: kuva_gif_status
        var indices: [UInt8]
    }

    private func decode(_ data: [UInt8], pixels: Int, codeSize: Int32 = 2, piece: Int = .max) throws -> Outcome {
        let lzw = try #require(kuva_gif_lzw_new())
        defer { kuva_gif_lzw_free(lzw) }
        #expect(kuva_gif_lzw_start(lzw, pixels, codeSize) == 1)
        var (position, status) = (0, KUVA_GIF_NEEDS_INPUT)
        while position < data.count, status == KUVA_GIF_NEEDS_INPUT {
            var used = 0
            let part = Array(data[position...].prefix(piece))
            status = kuva_gif_lzw_decode(lzw, part, part.count, &used)
            position += used
        }
        var count = 0
        let indices = kuva_gif_lzw_indices(lzw, &count)
        return Outcome(status: status, indices: Array(UnsafeBufferPointer(start: indices, count: count)))
    }

    @Test func literals() throws {
        let data = GIFFile.plain([0, 1, 2, 3, 3, 2])
        #expect(try decode(data, pixels: 6) == Outcome(status: KUVA_GIF_DONE, indices: [0, 1, 2, 3, 3, 2]))
        #expect(try decode(data, pixels: 4) == Outcome(status: KUVA_GIF_DONE, indices: [0, 1, 2, 3]))
        #expect(try decode(data, pixels: 7) == Outcome(status: KUVA_GIF_TOO_SHORT, indices: [0, 1, 2, 3, 3, 2]))
    }

    /// Clear, 1, then 6 = "1" and its own first index: the code that is not in the table yet; 7 = "11" + "1".
    @Test func codeThatNamesItself() throws {
        let data = GIFFile.codes([(4, 3), (1, 3), (6, 3), (7, 3), (5, 4)])
        #expect(try decode(data, pixels: 6) == Outcome(status: KUVA_GIF_DONE, indices: [1, 1, 1, 1, 1, 1]))
    }

    /// Runs of each length: every code names itself, so that the strings are 1, 2, 3 … long, past each chunk of a copy.
    @Test func runsOfAllLengths() throws {
        var codes = [(code: 4, bits: 3), (code: 2, bits: 3)]
        var bits = 3
        for code in 6...205 {
            codes.append((code, bits))
            if code + 1 == 1 << bits { bits += 1 }
        }
        let total = 201 * 202 / 2
        let expected = [UInt8](repeating: 2, count: total)
        for size in [1, 3, 255] {
            let outcome = try decode(GIFFile.codes(codes, blockSize: size), pixels: total)
            let isRun = outcome == Outcome(status: KUVA_GIF_DONE, indices: expected)
            #expect(isRun, "blocks of \(size)")
        }
    }

    /// 0, 1, then "01" (6), "10" (7), "011" … as a textbook coder makes them of 0 1 0 1 0 1 0 1.
    @Test func alternation() throws {
        // Output: 0, 1, 01, 010; the table gets 6 = 01, 7 = 10, 8 = 010.
        let data = GIFFile.codes([(4, 3), (0, 3), (1, 3), (6, 3), (8, 4), (5, 4)])
        #expect(try decode(data, pixels: 7) == Outcome(status: KUVA_GIF_DONE, indices: [0, 1, 0, 1, 0, 1, 0]))
    }

    @Test func noClearCodeAndNoEndCode() throws {
        let data = GIFFile.codes([(3, 3), (2, 3)])
        #expect(try decode(data, pixels: 2) == Outcome(status: KUVA_GIF_DONE, indices: [3, 2]))
        #expect(try decode(data, pixels: 3).status == KUVA_GIF_TOO_SHORT)
    }

    @Test func severalClearCodes() throws {
        let data = GIFFile.codes([(4, 3), (4, 3), (4, 3), (1, 3), (4, 3), (4, 3), (2, 3), (5, 3)])
        #expect(try decode(data, pixels: 2) == Outcome(status: KUVA_GIF_DONE, indices: [1, 2]))
    }

    @Test func codesThatStandForNothing() throws {
        // 6 directly after a clear, where there is no string to make it of.
        #expect(try decode(GIFFile.codes([(4, 3), (6, 3)]), pixels: 9).status == KUVA_GIF_BAD_CODE)
        // 7 where 6 is the next.
        let skipping = try decode(GIFFile.codes([(4, 3), (1, 3), (7, 3)]), pixels: 9)
        #expect(skipping == Outcome(status: KUVA_GIF_BAD_CODE, indices: [1]))
        // An entry of before the clear.
        let stale = GIFFile.codes([(4, 3), (1, 3), (6, 3), (4, 3), (1, 3), (6, 3), (4, 3), (7, 3)])
        #expect(try decode(stale, pixels: 9) == Outcome(status: KUVA_GIF_BAD_CODE, indices: [1, 1, 1, 1, 1, 1]))
    }

    /// When all 4096 codes are taken, the table stays as it is and codes have 12 bits until a clear code comes.
    @Test func fullTable() throws {
        var codes = [(code: 4, bits: 3)]
        var (bits, expected) = (3, [UInt8]())
        // Each literal makes one entry but the first: 6 to 4095.
        for i in 0...(4095 - 6 + 1) {
            codes.append((i % 4, bits))
            expected.append(UInt8(i % 4))
            let made = 5 + i
            if made + 1 == 1 << bits, bits < 12 { bits += 1 }
        }
        // 4095 is the last pair; it may be named again and again, without another entry.
        let last = [UInt8(4089 % 4), UInt8(4090 % 4)]
        for _ in 0..<5 {
            codes.append((4095, 12))
            expected += last
        }
        codes += [(4, 12), (3, 3), (5, 3)]
        expected.append(3)
        let data = GIFFile.codes(codes)
        let whole = try decode(data, pixels: expected.count)
        #expect(whole.status == KUVA_GIF_DONE)
        let isEqual = whole.indices == expected
        #expect(isEqual)
        for piece in [1, 2, 100, 1000] {
            let isSame = try decode(data, pixels: expected.count, piece: piece) == whole
            #expect(isSame, "pieces of \(piece)")
        }
    }

    @Test(arguments: 1...11) func codeSizes(size: Int) throws {
        let (clear, width) = (1 << size, size + 1)
        let top = min(255, clear - 1)
        // With one bit, the fourth code fills the width after the first literal already.
        let second = size == 1 ? 3 : width
        let data = GIFFile.codes([(clear, width), (top, width), (0, second), (clear + 1, second)])
        #expect(try decode(data, pixels: 2, codeSize: Int32(size)).indices == [UInt8(top), 0])
    }

    @Test func codeSizesThatDoNotExist() throws {
        let lzw = try #require(kuva_gif_lzw_new())
        defer { kuva_gif_lzw_free(lzw) }
        for size: Int32 in [-1, 0, 12, 255] { #expect(kuva_gif_lzw_start(lzw, 4, size) == 0) }
        #expect(kuva_gif_lzw_start(lzw, Int(UInt32.max), 2) == 0, "more pixels than offsets can tell")
    }

    @Test func emptyAndBrokenBlocks() throws {
        #expect(try decode([0], pixels: 1).status == KUVA_GIF_TOO_SHORT)
        #expect(try decode([], pixels: 1).status == KUVA_GIF_NEEDS_INPUT)
        #expect(try decode([200, 1], pixels: 9).status == KUVA_GIF_NEEDS_INPUT)
    }
}
