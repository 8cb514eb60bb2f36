internal import FoundationEssentials
internal import Kuva

/// The pixels of a file in one number that any other decoder can be held against.
///
/// It is the SHA-256 of RGBA8 with straight alpha, rows top-down without padding, all composited frames one after the
/// other, colour 0 where alpha is 0. No profile is applied, nothing is turned; of 16-bit samples it is the high byte.
struct PixelHash: Sendable {
    /// Width and height as stored.
    let size: PixelSize
    /// Frames that were decoded.
    let frameCount: Int
    let hex: String
    /// Why it is not of all pixels, if it is not.
    let damage: ImageError?

    /// Decodes all frames of a whole file. Blocks the calling thread for the time it takes.
    ///
    /// - Throws: ``ImageError`` at the stage `decode` if there is no pixel to be had.
    init(of file: Data, by decoders: any ImageDecoderProvider, limits: DecodeLimits) throws(ImageError) {
        do throws(ImageError) {
            let options = DecodeOptions(pixels: .stored, limits: limits)
            guard let decoder = decoders.makeDecoder(forPrefix: file, options: options) else {
                throw UnrecognisedBytes.error(for: file)
            }
            decoder.append(file, isLast: true)
            guard case .done(let info) = try decoder.readInfo() else { throw Self.truncated(decoder.format) }
            var sum = try SHA256Sum()
            var canvas = try PixelBufferPool.shared.canvas(info.outputLayout)
            var (count, damage) = (0, ImageError?.none)
            frames: while damage == nil {
                do throws(ImageError) {
                    try limits.check(frameCount: count + 1, of: info.storedSize)
                    guard case .done(let frame) = try decoder.decodeFrame(into: &canvas) else { break frames }
                    damage = frame.damage
                } catch {
                    // Frames before a broken one count.
                    guard count > 0 else { throw error }
                    damage = error
                    break frames
                }
                count += 1
                try Self.add(&canvas, to: &sum)
            }
            guard count > 0 else { throw Self.truncated(decoder.format) }
            (size, frameCount, hex) = (info.storedSize, count, try sum.hex())
            self.damage = damage
        } catch {
            throw error.locating(stage: .decode)
        }
    }

    private static func truncated(_ format: ImageFormat) -> ImageError {
        ImageError(
            .truncatedImage,
            "the \(format) file ends before its first picture",
            advice: "get it again from its source"
        )
    }

    /// Adds a copy of the pixels: the decoder may need them for the next frame.
    private static func add(_ canvas: inout PixelCanvas, to sum: inout SHA256Sum) throws(ImageError) {
        let layout = canvas.layout
        let width = layout.width
        var row = [UInt8](repeating: 0, count: width * 4)
        for y in 0..<layout.height {
            canvas.withUnsafeBytes { bytes in
                row.withUnsafeMutableBytes { row in
                    row.copyMemory(
                        from: UnsafeRawBufferPointer(rebasing: bytes[(y * layout.bytesPerRow)...].prefix(width * 4))
                    )
                    for pixel in stride(from: 0, to: row.count, by: 4) where row[pixel + 3] == 0 {
                        (row[pixel], row[pixel + 1], row[pixel + 2]) = (0, 0, 0)
                    }
                }
            }
            try row.withUnsafeBytes { bytes in Result { () throws(ImageError) in try sum.add(bytes) } }.get()
        }
    }
}
