public import FoundationEssentials
public import KuvaCore

/// Writes a still picture as GIF89a: up to 256 colours, those of the picture if it has no more, otherwise chosen by
/// median cut and dithered. Pixels of less than half alpha become transparent, the others opaque.
public struct GIFEncoder: ImageEncoder {
    /// Makes an encoder.
    public init() {}

    /// GIF.
    public var format: ImageFormat { .gif }

    /// Never: there are as many colours as there may be.
    public func usesQuality(_ options: EncodeOptions) -> Bool { false }

    /// See ``ImageEncoder``; of the options it takes the cancellation flag.
    public func encode(_ pixels: PixelBuffer, options: EncodeOptions) throws(ImageError) -> Data {
        try options.cancellation?.check()
        try pixels.check(for: .gif, maximumSide: GIFAnimationEncoder.maximumSide)
        let straight = try pixels.straightened()
        let size = straight.layout.size
        // Layouts are packed, so that all pixels lie one behind the other.
        var frame = try straight.withUnsafeBytes { bytes throws(ImageError) in
            try GIFFrameEncoding(bytes.baseAddress!.assumingMemoryBound(to: UInt8.self), size: size)
        }
        try options.cancellation?.check()

        let sides = GIFFrameEncoding.littleEndian(size.width) + GIFFrameEncoding.littleEndian(size.height)
        var file = Data("GIF89a".utf8)
        file.append(contentsOf: sides + [0xF0 | frame.tableExponent, 0, 0])
        frame.appendTable(to: &file)
        if let index = frame.transparentIndex { file.append(contentsOf: [0x21, 0xF9, 4, 1, 0, 0, index, 0]) }
        file.append(contentsOf: [0x2C, 0, 0, 0, 0] + sides + [0])
        try frame.appendData(to: &file)
        file.append(0x3B)
        return file
    }
}
