import KuvaCore

/// A picture of one colour.
func picture(
    width: Int,
    height: Int,
    _ colour: (UInt8, UInt8, UInt8, UInt8) = (255, 0, 0, 255),
    alpha: AlphaMode = .premultiplied
) throws -> Image {
    let layout = try PixelLayout(size: PixelSize(width: width, height: height))
    var canvas = try PixelBufferPool.shared.canvas(layout)
    let pixel = [colour.0, colour.1, colour.2, colour.3]
    canvas.withUnsafeMutableBytes { bytes in
        for index in bytes.indices { bytes[index] = pixel[index % 4] }
    }
    return Image(pixels: canvas.freeze(alpha: alpha))
}
