import KuvaCore
import Testing

extension Picture {
    /// The picture as an image of these bytes, with a scale and a format that transformers must keep.
    func image(alpha: AlphaMode? = nil) throws -> Image {
        let isOpaque = stride(from: 3, to: bytes.count, by: 4).allSatisfy { bytes[$0] == 255 }
        var canvas = try PixelBufferPool(maximumFreeBytes: 0).canvas(PixelLayout(size: size))
        canvas.withUnsafeMutableBytes { $0.copyBytes(from: bytes) }
        let pixels = canvas.freeze(alpha: alpha ?? (isOpaque ? .opaque : .premultiplied))
        return Image(pixels: pixels, scale: 2, format: .png, frameCount: 3, loopCount: 7)
    }

    init(_ image: Image) {
        let bytes = image.pixels.withUnsafeBytes { Array($0) }
        self.init(width: image.pixelSize.width, height: image.pixelSize.height, bytes: bytes)
    }

    /// One colour everywhere; the bytes as they are in memory.
    init(_ width: Int, _ height: Int, of pixel: [UInt8]) {
        self.init(width: width, height: height, bytes: Array(repeatElement(pixel, count: width * height).joined()))
    }

    /// What each pixel is made by.
    init(_ width: Int, _ height: Int, _ pixel: (_ x: Int, _ y: Int) -> [UInt8]) {
        let bytes = (0..<height).flatMap { y in (0..<width).flatMap { x in pixel(x, y) } }
        self.init(width: width, height: height, bytes: bytes)
    }

    /// The pixel, or transparent black outside.
    func pixel(_ x: Int, _ y: Int) -> [UInt8] {
        (0..<size.width).contains(x) && (0..<size.height).contains(y) ? self[x, y] : [0, 0, 0, 0]
    }

    /// Random pixels, premultiplied.
    static func premultiplied(random width: Int, _ height: Int, isOpaque: Bool = false) -> Picture {
        Picture(random: width, height, isOpaque: isOpaque).premultiplied
    }
}

extension ImageTransformer {
    /// The result, whose metadata must be the picture's, whose colour must not exceed alpha and whose alpha mode must
    /// be right; from memory full of rubbish.
    func applied(to picture: Picture, alpha: AlphaMode? = nil) throws -> Picture {
        let image = try picture.image(alpha: alpha)
        let pool = PixelBufferPool()
        for size in [64, 4_096, 1 << 16] {
            var rubbish = try pool.canvas(PixelLayout(size: PixelSize(width: size / 4, height: 1)))
            rubbish.withUnsafeMutableBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: 0xAB) }
        }
        let result = try transform(image, pool: pool)
        #expect(result.scale == 2 && result.format == .png && result.frameCount == 3 && result.loopCount == 7)
        let drawn = Picture(result)
        if result.pixels.layout.alpha == .opaque {
            #expect(stride(from: 3, to: drawn.bytes.count, by: 4).allSatisfy { drawn.bytes[$0] == 255 })
        }
        #expect(result.pixels.layout.alpha != .straight && drawn == drawn.clamped)
        return drawn
    }

    /// Expects that the result is the picture itself: the same pixels, not a copy.
    func expectNothingDone(to picture: Picture, _ location: SourceLocation = #_sourceLocation) throws {
        let image = try picture.image()
        let result = try transform(image, pool: PixelBufferPool())
        #expect(result.pixels === image.pixels, "\(key)", sourceLocation: location)
    }

    func expectError(_ code: ImageError.Code, on picture: Picture, _ location: SourceLocation = #_sourceLocation) throws
    {
        let image = try picture.image()
        #expect(sourceLocation: location) {
            try transform(image, pool: PixelBufferPool())
        } throws: { error in
            (error as? ImageError)?.code == code && (error as? ImageError)?.advice.isEmpty == false
        }
    }
}
