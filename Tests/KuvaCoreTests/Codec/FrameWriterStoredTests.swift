import KuvaCore
import Testing

@Suite("Frame writer: stored pixels and conversion")
struct FrameWriterStoredTests {
    /// Exchanges red and blue.
    private final class Exchange: PixelRowConverter {
        func convert(_ pixels: UnsafeMutableRawPointer, count: Int) {
            let bytes = pixels.assumingMemoryBound(to: UInt8.self)
            for index in 0..<count { swap(&bytes[4 * index], &bytes[4 * index + 2]) }
        }
    }

    private func draw(
        _ picture: Picture,
        rowAlpha: FrameWriter.RowAlpha,
        layout: PixelLayout,
        converter: (any PixelRowConverter)? = nil,
        isDirect: Bool
    ) throws -> (bytes: [UInt8], alpha: AlphaMode) {
        var canvas = try PixelBufferPool.shared.canvas(layout)
        var writer = try FrameWriter(
            storedSize: picture.size,
            rowAlpha: rowAlpha,
            output: layout,
            converter: converter
        )
        let size = picture.size
        if isDirect {
            writer.writeDirectly(into: &canvas) { rows, _ in
                rows.copyBytes(from: picture.bytes)
                return size.height
            }
        } else {
            picture.bytes.withUnsafeBytes {
                writer.write($0.baseAddress!, bytesPerRow: size.width * 4, count: size.height, into: &canvas)
            }
        }
        let alpha = writer.finish(into: &canvas)
        return (canvas.withUnsafeBytes { Array($0) }, alpha)
    }

    @Test(arguments: [false, true]) func straightRowsStayAsTheyAre(isDirect: Bool) throws {
        for isOpaque in [false, true] {
            let picture = Picture(random: 13, 7, isOpaque: isOpaque)
            let layout = try PixelLayout(size: picture.size, alpha: .straight)
            let drawn = try draw(picture, rowAlpha: .straight, layout: layout, isDirect: isDirect)
            #expect(drawn.bytes == picture.bytes)
            #expect(drawn.alpha == (isOpaque ? .opaque : .straight))
        }
    }

    /// Conversion is of straight colours: before alpha is multiplied in, and before rows are mixed.
    @Test(arguments: [false, true]) func rowsAreConvertedFirst(isDirect: Bool) throws {
        let picture = Picture(random: 13, 7)
        var exchanged = picture
        for offset in stride(from: 0, to: picture.bytes.count, by: 4) { exchanged.bytes.swapAt(offset, offset + 2) }
        let layout = try PixelLayout(size: picture.size)
        let drawn = try draw(picture, rowAlpha: .straight, layout: layout, converter: Exchange(), isDirect: isDirect)
        #expect(drawn.bytes == exchanged.premultiplied.bytes)

        let small = try PixelLayout(size: PixelSize(width: 5, height: 3))
        let scaled = try draw(picture, rowAlpha: .straight, layout: small, converter: Exchange(), isDirect: false)
        let expected = try draw(exchanged, rowAlpha: .straight, layout: small, isDirect: false)
        #expect(scaled.bytes == expected.bytes)
    }

    @Test(arguments: [false, true]) func opaqueRowsAreConvertedToo(isDirect: Bool) throws {
        let picture = Picture(random: 13, 7, isOpaque: true)
        let layout = try PixelLayout(size: picture.size, alpha: .opaque)
        let drawn = try draw(picture, rowAlpha: .opaque, layout: layout, converter: Exchange(), isDirect: isDirect)
        #expect(drawn.bytes[0..<4] == [picture.bytes[2], picture.bytes[1], picture.bytes[0], 255])
        #expect(drawn.alpha == .opaque)
    }
}
