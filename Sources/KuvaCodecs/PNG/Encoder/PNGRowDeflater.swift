internal import CKuvaPNGWrite
internal import FoundationEssentials
internal import KuvaCore

/// Owns the C writer that makes the image data of one PNG. One thread at a time.
struct PNGRowDeflater: ~Copyable {
    private let writer: OpaquePointer

    /// - Throws: ``ImageError`` with the code `out-of-memory`, or `limit-exceeded` for sides that PNG does not allow.
    init(size: PixelSize, hasAlpha: Bool, level: Int) throws(ImageError) {
        guard let width = UInt32(exactly: size.width), let height = UInt32(exactly: size.height),
            !size.isEmpty, width <= UInt32(Int32.max) / 8, height <= UInt32(Int32.max)
        else {
            throw ImageError(.limitExceeded, "PNG cannot hold \(size) pixels", advice: "write a smaller picture")
        }
        guard let writer = kuva_png_writer_new(width, height, hasAlpha ? 1 : 0, Int32(level)) else {
            throw ImageError(
                .outOfMemory,
                "the system did not give the memory to write a PNG",
                advice: "write a smaller picture"
            )
        }
        self.writer = writer
    }

    deinit { kuva_png_writer_free(writer) }

    /// Deflates all rows of a picture, or of a part of it.
    ///
    /// - Parameter rect: the part, in the writer's size; all of the picture if `nil`.
    /// - Parameter emit: gets the image data piece by piece.
    /// - Throws: ``ImageError``, with the code `cancelled` once the flag is raised.
    func deflate(
        _ pixels: PixelBuffer,
        from rect: PixelRect? = nil,
        cancellation: CancellationFlag?,
        emit: (UnsafeRawBufferPointer) -> Void
    ) throws(ImageError) {
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        var (filled, next) = (0, rect?.y ?? 0)
        var status = KUVA_PNG_WRITE_NEEDS_ROW
        while status != KUVA_PNG_WRITE_DONE {
            if status == KUVA_PNG_WRITE_NEEDS_ROW {
                try cancellation?.check()
                take(row: next, column: rect?.x ?? 0, of: pixels)
                next += 1
            }
            status = piece.withUnsafeMutableBytes { bytes in
                let out = bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
                var written = 0
                let status = kuva_png_writer_drain(writer, out + filled, bytes.count - filled, &written)
                filled += written
                if status == KUVA_PNG_WRITE_FULL || status == KUVA_PNG_WRITE_DONE {
                    emit(UnsafeRawBufferPointer(rebasing: bytes[..<filled]))
                    filled = 0
                }
                return status
            }
            if status == KUVA_PNG_WRITE_FAILED {
                throw ImageError(.outOfMemory, "zlib could not deflate a row of a PNG")
            }
        }
    }

    private func take(row: Int, column: Int, of pixels: PixelBuffer) {
        pixels.withUnsafeBytes { bytes in
            let start = bytes.baseAddress! + row * pixels.layout.bytesPerRow + column * 4
            kuva_png_writer_row(writer, start.assumingMemoryBound(to: UInt8.self))
        }
    }

    /// The CRC of a chunk's type and content.
    static func checksum(_ type: some Sequence<UInt8>, _ content: UnsafeRawBufferPointer) -> UInt32 {
        let type = Array(type)
        let start = kuva_png_write_crc32(0, type, type.count)
        guard let base = content.baseAddress else { return start }
        return kuva_png_write_crc32(start, base.assumingMemoryBound(to: UInt8.self), content.count)
    }
}
