internal import CKuvaPNG
internal import KuvaCore

/// Owns the C reader of one frame's image data: deflate stream in, rows of straight RGBA8 out.
struct PNGPixels: ~Copyable {
    /// Where a call ended.
    enum Step {
        case needsInput
        case rowsFull
        case done
        case damaged(String)
    }

    private let reader: OpaquePointer

    /// - Throws: `out-of-memory`.
    init(_ metadata: borrowing PNGMetadata, size: PixelSize) throws(ImageError) {
        let header = metadata.header
        let key = metadata.key.map { [$0.red, $0.green, $0.blue] }
        let palette = metadata.palette
        let made = kuva_png_pixels_new(
            UInt32(size.width),
            UInt32(size.height),
            Int32(header.bitDepth),
            Int32(header.colour.rawValue),
            header.isInterlaced ? 1 : 0,
            palette,
            key,
            KUVA_PNG_BEST,
            KUVA_PNG_INFLATE_BEST
        )
        guard let made else {
            throw ImageError(
                .outOfMemory,
                "the system did not give the memory to decode rows of \(size.width) pixels",
                advice: "lower the memory limits of the caches"
            )
        }
        reader = made
    }

    deinit { kuva_png_pixels_free(reader) }

    /// Decodes the next rows into `out`: one after the other, or, for an interlaced picture, each pixel to its place in
    /// the whole frame.
    mutating func read(
        _ input: UnsafeRawBufferPointer,
        into out: UnsafeMutableRawPointer,
        bytesPerRow: Int,
        maximumRows: Int
    ) -> (step: Step, used: Int, rows: Int) {
        var used = 0
        var rows = 0
        let status = kuva_png_pixels_read(
            reader,
            input.bindMemory(to: UInt8.self).baseAddress,
            input.count,
            &used,
            out.assumingMemoryBound(to: UInt8.self),
            bytesPerRow,
            maximumRows,
            &rows
        )
        return (Self.step(status), used, rows)
    }

    /// The interlace pass that is under way; 7 after the last.
    var pass: Int { Int(kuva_png_pixels_pass(reader)) }

    /// Makes a partial interlaced frame a coarse one; see the C header.
    func fillHoles(in frame: UnsafeMutableRawPointer, bytesPerRow: Int) {
        kuva_png_pixels_fill(reader, frame.assumingMemoryBound(to: UInt8.self), bytesPerRow)
    }

    private static func step(_ status: kuva_png_status) -> Step {
        switch status {
        case KUVA_PNG_NEEDS_INPUT: .needsInput
        case KUVA_PNG_ROWS_FULL: .rowsFull
        case KUVA_PNG_DONE: .done
        case KUVA_PNG_BAD_ZLIB_HEADER: .damaged("the image data do not start as zlib data do")
        case KUVA_PNG_BAD_FILTER: .damaged("a row has a filter type that does not exist")
        case KUVA_PNG_TOO_SHORT: .damaged("the image data end before the last row")
        default: .damaged("the compressed image data break their rules")
        }
    }
}
