import Foundation
import KuvaCore

/// Pictures as texts such as `tiny png 4x3 frames 1 opaque`, which say all that a cache can be asked about. With `half`
/// for the last word, a part of the picture is missing.
final class TextCodec: ImageDecoderProvider, ImageEncoderProvider {
    private let counts = Lock((decoded: 0, encoded: 0))
    private let threads = Lock<Set<String>>([])
    private let formats: Set<String>
    private let animations: Set<String>

    /// - Parameters:
    ///   - formats: what it can encode, by name.
    ///   - animations: in which of them it writes all frames.
    init(encoding formats: Set<String> = ["png", "jpeg", "gif"], animations: Set<String> = []) {
        self.formats = formats
        self.animations = animations
    }

    var decodedCount: Int { counts.withLock { $0.decoded } }
    var encodedCount: Int { counts.withLock { $0.encoded } }
    /// The names of the threads that have decoded.
    var decodingThreads: Set<String> { threads.withLock { $0 } }

    static func file(_ format: String = "png", _ size: String = "4x3", frames: Int = 1, alpha: String = "opaque")
        -> Data
    {
        Data("tiny \(format) \(size) frames \(frames) \(alpha)".utf8)
    }

    static func picture(
        _ format: ImageFormat = .unknown,
        frames: Int = 1,
        alpha: AlphaMode = .opaque
    ) throws -> Image {
        let layout = try PixelLayout(size: PixelSize(width: 4, height: 3), alpha: alpha)
        let pixels = try PixelBufferPool.shared.canvas(layout).freeze(alpha: alpha)
        return Image(pixels: pixels, format: format, frameCount: frames, loopCount: frames > 1 ? 0 : nil)
    }

    func canEncode(_ format: ImageFormat) -> Bool { formats.contains(format.name) }
    func canEncodeAnimations(_ format: ImageFormat) -> Bool { animations.contains(format.name) }

    func encode(_ image: Image, as format: ImageFormat) throws(ImageError) -> Data {
        counts.withLock { $0.encoded += 1 }
        let alpha = image.pixels.layout.alpha == .opaque ? "opaque" : "premultiplied"
        let size = "\(image.pixelSize.width)x\(image.pixelSize.height)"
        return Self.file(format.name, size, frames: image.frameCount, alpha: alpha)
    }

    private func noteThread() {
        let name = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
        threads.withLock { _ = $0.insert(name?.trimmingCharacters(in: .newlines) ?? "unknown") }
    }

    func makeDecoder(forPrefix prefix: Data, options: DecodeOptions) -> (any ImageDecoder)? {
        prefix.starts(with: "tiny ".utf8) ? Decoder(self, options) : nil
    }

    private final class Decoder: ImageDecoder {
        let format = ImageFormat.png
        private let codec: TextCodec
        private let options: DecodeOptions
        private var words: [Substring] = []

        init(_ codec: TextCodec, _ options: DecodeOptions) {
            self.codec = codec
            self.options = options
        }

        func append(_ bytes: Data, isLast: Bool) {
            words = String(decoding: bytes, as: UTF8.self).split(separator: " ").map { Substring(String($0)) }
        }

        func readInfo() throws(ImageError) -> DecoderStep<ImageInfo> {
            codec.noteThread()
            let sides = words.count == 6 ? words[2].split(separator: "x").compactMap { Int($0) } : []
            guard sides.count == 2, let frames = Int(words[4]) else { throw ImageError(.corruptImage, "not tiny") }
            let size = PixelSize(width: sides[0], height: sides[1])
            let output = options.targetSize?.outputSize(for: size) ?? size
            let info = ImageInfo(
                format: ImageFormat(name: String(words[1]), mediaType: "", fileExtension: ""),
                storedSize: size,
                frameCount: frames,
                loopCount: frames > 1 ? 0 : nil,
                outputLayout: try PixelLayout(size: output)
            )
            return .done(info)
        }

        func decodeFrame(into canvas: inout PixelCanvas) throws(ImageError) -> DecoderStep<FrameInfo> {
            codec.counts.withLock { $0.decoded += 1 }
            try options.cancellation?.check()
            let damage = words[5] == "half" ? ImageError(.truncatedImage, "the file ends in the picture") : nil
            return .done(FrameInfo(index: 0, alpha: words[5] == "opaque" ? .opaque : .premultiplied, damage: damage))
        }
    }
}
