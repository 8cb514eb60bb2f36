import Foundation
import KuvaCodecs
import KuvaCore

/// Feeds a decoder the way a download does.
struct Decoding {
    let frame: FrameInfo
    let info: ImageInfo
    let pixels: Pixels
    /// How often the decoder asked for more bytes.
    let waits: Int

    /// Decodes the first frame of `data`, given in pieces of `pieceSize` bytes, each only once the decoder asks.
    init(_ data: Data, pieceSize: Int = .max, options: DecodeOptions = DecodeOptions()) throws {
        guard let decoder = CodecRegistry.builtIn.makeDecoder(forPrefix: data, options: options) else {
            throw UnrecognisedBytes.error(for: data)
        }
        var (position, waits) = (data.startIndex, 0)
        func feed() {
            let end = data.endIndex - position > pieceSize ? position + pieceSize : data.endIndex
            decoder.append(data[position..<end], isLast: end == data.endIndex)
            position = end
        }
        func finish<T>(_ step: () throws -> DecoderStep<T>) throws -> T {
            while true {
                switch try step() {
                case .done(let value): return value
                case .needsMoreBytes where position < data.endIndex:
                    waits += 1
                    feed()
                default: throw ImageError(.truncatedImage, "the decoder wants bytes after the last")
                }
            }
        }
        feed()
        info = try finish { try decoder.readInfo() }
        var canvas = try PixelBufferPool.shared.canvas(info.outputLayout)
        frame = try finish { try decoder.decodeFrame(into: &canvas) }
        pixels = Pixels(canvas.freeze(alpha: frame.alpha))
        self.waits = waits
    }

    /// The first frame as it is stored, neither turned nor converted, colours multiplied by alpha.
    static func unconverted(_ data: Data) throws -> Pixels {
        let decoding = try Decoding(data, options: DecodeOptions(pixels: .stored))
        return decoding.frame.alpha == .straight ? decoding.pixels.premultiplied : decoding.pixels
    }
}
