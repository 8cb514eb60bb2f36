internal import KuvaCore

/// A file whose header has been read, with one picture to give: a sequence of one.
protocol PictureFile: SequenceFile {
    /// Decodes the picture, or goes on where the bytes ran out; as ``SequenceFile/decode(_:_:into:)``.
    func decode(_ input: InputBytes, into canvas: inout PixelCanvas) throws(ImageError) -> FrameInfo?
}

extension PictureFile {
    var frameCount: Int { 1 }

    var hasAllFrames: Bool { true }

    func update(_ input: InputBytes) {}

    func frame(at index: Int) -> AnimationFrame { AnimationFrame(duration: nil, isWhole: true) }

    func decode(
        _ index: Int,
        _ input: InputBytes,
        into canvas: inout PixelCanvas
    ) throws(ImageError) -> FrameInfo? {
        try decode(input, into: &canvas)
    }
}
