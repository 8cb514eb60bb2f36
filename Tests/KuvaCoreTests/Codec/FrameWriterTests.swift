import KuvaCore
import Testing

@Suite("Frame writer: rows")
struct FrameWriterTests {
    private struct Stop: Error {}

    @Test(arguments: [1, 2, 7, 16, 100])
    func howManyRowsComeAtOnceChangesNothing(_ chunk: Int) throws {
        let picture = Picture(random: 23, 41)
        for orientation in [Orientation.up, .down, .right] {
            for size in [nil, PixelSize(width: 9, height: 11)] {
                let whole = try picture.written(as: .straight, orientation: orientation, to: size)
                let parts = try picture.written(as: .straight, orientation: orientation, to: size, chunk: chunk)
                #expect(parts.picture == whole.picture)
            }
        }
    }

    @Test func negativeStrideReadsUpwards() throws {
        let picture = Picture(random: 5, 4, isOpaque: true)
        let upward = try Picture.drawn(picture.size) { canvas in
            var writer = try FrameWriter(storedSize: picture.size, rowAlpha: .opaque, output: canvas.layout)
            picture.bytes.withUnsafeBytes {
                writer.write($0.baseAddress! + 3 * 20, bytesPerRow: -20, count: 4, into: &canvas)
            }
            return writer.finish(into: &canvas)
        }
        #expect(upward.picture == (try picture.written(as: .opaque, orientation: .downMirrored).picture))
    }

    @Test func rowsBeyondTheStoredHeightAreIgnored() throws {
        let picture = Picture(random: 5, 6, isOpaque: true)
        let stored = PixelSize(width: 5, height: 4)
        for size in [stored, PixelSize(width: 2, height: 3)] {
            let written = try Picture.drawn(size) { canvas in
                var writer = try FrameWriter(storedSize: stored, rowAlpha: .opaque, output: canvas.layout)
                picture.bytes.withUnsafeBytes {
                    writer.write($0.baseAddress!, bytesPerRow: 20, count: 6, into: &canvas)
                    writer.write($0.baseAddress!, bytesPerRow: 20, count: 1, into: &canvas)
                    writer.write($0.baseAddress!, bytesPerRow: 20, count: -1, into: &canvas)
                }
                #expect(writer.rowCount == 4)
                return writer.finish(into: &canvas)
            }
            let cut = Picture(width: 5, height: 4, bytes: Array(picture.bytes.prefix(80)))
            #expect(written.picture == (try cut.written(as: .opaque, to: size).picture))
        }
    }

    @Test func directRowsArePremultipliedInPlace() throws {
        let picture = Picture(random: 11, 9)
        let written = try Picture.drawn(picture.size) { canvas in
            var writer = try FrameWriter(storedSize: picture.size, rowAlpha: .straight, output: canvas.layout)
            #expect(writer.isDirect == true)
            for rows in [2, 0, 1, 4] {
                let first = writer.rowCount * 44
                writer.writeDirectly(into: &canvas) { bytes, bytesPerRow in
                    #expect(bytesPerRow == 44)
                    #expect(bytes.count == 9 * 44 - first)
                    bytes.copyBytes(from: picture.bytes[first..<(first + rows * 44)])
                    return rows
                }
            }
            picture.bytes.withUnsafeBytes {
                writer.write($0.baseAddress! + 7 * 44, bytesPerRow: 44, count: 2, into: &canvas)
            }
            return writer.finish(into: &canvas)
        }
        #expect(written.picture == picture.premultiplied)
    }

    @Test func directWritingCountsOnlyRowsThatAreThereAndPassesErrors() throws {
        let size = PixelSize(width: 3, height: 4)
        let written = try Picture.drawn(size) { canvas in
            var writer = try FrameWriter(storedSize: size, rowAlpha: .opaque, output: canvas.layout)
            #expect(throws: Stop.self) {
                try writer.writeDirectly(into: &canvas) { _, _ throws(Stop) in throw Stop() }
            }
            writer.writeDirectly(into: &canvas) { _, _ in -3 }
            #expect(writer.rowCount == 0)
            writer.writeDirectly(into: &canvas) { bytes, _ in
                bytes.initializeMemory(as: UInt8.self, repeating: 255)
                return 99
            }
            #expect(writer.rowCount == 4)
            writer.writeDirectly(into: &canvas) { _, _ in
                Issue.record("there is no row left")
                return 1
            }
            return writer.finish(into: &canvas)
        }
        #expect(written.alpha == .opaque)
        #expect(written.picture.bytes.allSatisfy { $0 == 255 })
    }

    @Test func onlyUnscaledUprightRowsAreDirect() throws {
        let size = PixelSize(width: 4, height: 4)
        let layout = try PixelLayout(size: size)
        for orientation in Orientation.allCases {
            let writer = try FrameWriter(
                storedSize: size,
                rowAlpha: .opaque,
                orientation: orientation,
                output: layout
            )
            #expect(writer.isDirect == (orientation == .up))
        }
        let other = PixelSize(width: 4, height: 5)
        let written = try Picture.drawn(size) { canvas in
            var writer = try FrameWriter(storedSize: other, rowAlpha: .opaque, output: canvas.layout)
            writer.writeDirectly(into: &canvas) { _, _ in
                Issue.record("scaled rows cannot be written directly")
                return 1
            }
            #expect(writer.rowCount == 0)
            return writer.finish(into: &canvas)
        }
        #expect(written.picture.bytes.allSatisfy { $0 == 0 })
    }

    @Test func sizesThatCannotBeAreErrors() throws {
        let layout = try PixelLayout(size: PixelSize(width: 1, height: 1))
        for (width, height) in [(0, 5), (5, 0), (-1, 5), (Int.max, 1), (1, Int.max)] {
            #expect(throws: ImageError.self) {
                _ = try FrameWriter(
                    storedSize: PixelSize(width: width, height: height),
                    rowAlpha: .opaque,
                    output: layout
                )
            }
        }
    }

    @Test func rowsThatWouldNotFitInMemoryAreAnError() throws {
        let layout = try PixelLayout(size: PixelSize(width: 60_000, height: 1))
        do {
            _ = try FrameWriter(
                storedSize: PixelSize(width: 60_000, height: 60_000),
                rowAlpha: .opaque,
                output: layout
            )
            Issue.record("28 GB of rows were promised")
        } catch {
            #expect(error.code == .outOfMemory)
        }
    }
}
