public import FoundationEssentials
public import KuvaCore

/// Decodes texts: `image 4x3` is an opaque picture of 4 by 3 pixels, `partial 4x3` one that is cut off, anything else
/// is unknown. The colour of every pixel is (1, 2, 3, 255). What follows a `;` is body: while it comes, there is a new
/// preview for each further byte. Counts its work.
public final class FakeDecoders: ImageDecoderProvider {
    /// The format of the texts.
    public static let format = ImageFormat(name: "fake", mediaType: "image/x-fake", fileExtension: "fake")

    private let counter = Lock(0)
    private let gate: Gate?

    /// - Parameter gate: if given, each decode waits for it on its own thread.
    public init(gate: Gate? = nil) { self.gate = gate }

    /// The file that gives an opaque picture.
    public static func file(width: Int, height: Int) -> Data { Data("image \(width)x\(height)".utf8) }

    /// The same file with `body` bytes after its head.
    public static func file(width: Int, height: Int, body: Int) -> Data {
        file(width: width, height: height) + Data(";".utf8) + Data(repeating: UInt8(ascii: "."), count: body)
    }

    /// Frames decoded so far, previews not counted.
    public var decodeCount: Int { counter.withLock { $0 } }

    /// See `ImageDecoderProvider`.
    public func makeDecoder(forPrefix prefix: Data, options: DecodeOptions) -> (any ImageDecoder)? {
        guard prefix.starts(with: "image ".utf8) || prefix.starts(with: "partial ".utf8) else { return nil }
        return Decoder(owner: self, options: options)
    }

    private final class Decoder: ProgressiveImageDecoder {
        let format = FakeDecoders.format
        private let owner: FakeDecoders
        private let options: DecodeOptions
        private var bytes = Data()
        private var isWhole = false
        private var previewedCount = 0

        init(owner: FakeDecoders, options: DecodeOptions) {
            self.owner = owner
            self.options = options
        }

        func append(_ bytes: Data, isLast: Bool) {
            self.bytes.append(bytes)
            if isLast { isWhole = true }
        }

        func readInfo() throws(ImageError) -> DecoderStep<ImageInfo> {
            let head = bytes.prefix { $0 != UInt8(ascii: ";") }
            if head.count == bytes.count, !isWhole { return .needsMoreBytes }
            let sides = String(decoding: head, as: UTF8.self).split(separator: " ").last?.split(separator: "x") ?? []
            guard sides.count == 2, let width = Int(sides[0]), let height = Int(sides[1]) else {
                throw ImageError(.corruptImage, "the fake file has no size")
            }
            let size = PixelSize(width: width, height: height)
            try options.limits.check(source: size)
            let output = options.targetSize?.outputSize(for: size) ?? size
            return .done(ImageInfo(format: format, storedSize: size, outputLayout: try PixelLayout(size: output)))
        }

        func decodeFrame(into canvas: inout PixelCanvas) throws(ImageError) -> DecoderStep<FrameInfo> {
            owner.gate?.wait()
            try options.cancellation?.check()
            owner.counter.withLock { $0 += 1 }
            fill(&canvas)
            let isPartial = bytes.starts(with: "partial".utf8)
            let damage = isPartial ? ImageError(.truncatedImage, "the fake file is cut off") : nil
            return .done(FrameInfo(index: 0, alpha: .opaque, damage: damage))
        }

        func decodePreview(into canvas: inout PixelCanvas) throws(ImageError) -> DecoderStep<FrameInfo> {
            guard bytes.count > previewedCount else { return .needsMoreBytes }
            previewedCount = bytes.count
            fill(&canvas)
            return .done(FrameInfo(index: 0, alpha: .opaque))
        }

        private func fill(_ canvas: inout PixelCanvas) {
            canvas.withUnsafeMutableBytes { bytes in
                for index in bytes.indices { bytes[index] = [1, 2, 3, 255][index % 4] }
            }
        }
    }
}
