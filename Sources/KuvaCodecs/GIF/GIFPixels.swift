internal import CKuvaGIF
internal import KuvaCore

/// Owns the C decompressor that turns the data of one frame into palette indices.
struct GIFPixels: ~Copyable {
    enum Step {
        case needsInput
        case done
        case damaged(String)
    }

    private let decoder: OpaquePointer

    /// - Throws: `out-of-memory`.
    init() throws(ImageError) {
        guard let decoder = kuva_gif_lzw_new() else { throw Self.outOfMemory }
        self.decoder = decoder
    }

    deinit { kuva_gif_lzw_free(decoder) }

    /// Begins a frame.
    ///
    /// - Throws: `corrupt-image` for a code size that GIF does not have, `out-of-memory`.
    mutating func start(_ frame: GIFFrame) throws(ImageError) {
        // §22 allows 2 to 8; one-bit writers use 1, and decoders read up to 11, which leaves a bit to grow by.
        guard (1...11).contains(frame.minimumCodeSize) else {
            throw GIFIndex.corrupt("the image data have \(frame.minimumCodeSize) bits a code, and GIF has 2 to 8")
        }
        let count = frame.size.width * frame.size.height
        guard kuva_gif_lzw_start(decoder, count, Int32(frame.minimumCodeSize)) != 0 else { throw Self.outOfMemory }
    }

    /// Decompresses the next data sub-blocks, cut anywhere.
    mutating func read(_ input: UnsafeRawBufferPointer) -> (step: Step, used: Int) {
        var used = 0
        let status = kuva_gif_lzw_decode(decoder, input.bindMemory(to: UInt8.self).baseAddress, input.count, &used)
        let step: Step =
            switch status {
            case KUVA_GIF_NEEDS_INPUT: .needsInput
            case KUVA_GIF_DONE: .done
            case KUVA_GIF_TOO_SHORT: .damaged("the image data end before the last pixel")
            default: .damaged("the image data have a code that stands for nothing")
            }
        return (step, used)
    }

    /// How many pixels there are so far.
    var count: Int {
        var count = 0
        _ = kuva_gif_lzw_indices(decoder, &count)
        return count
    }

    /// Writes the RGBA pixels of `range`, which must be there.
    func expand(_ range: Range<Int>, palette: [UInt8], into out: UnsafeMutableRawPointer) {
        var count = 0
        guard let indices = kuva_gif_lzw_indices(decoder, &count), range.upperBound <= count else { return }
        kuva_gif_expand(indices + range.lowerBound, range.count, palette, out.assumingMemoryBound(to: UInt8.self))
    }

    /// Draws the pixels of `range`, which must be there, over what is in `out`.
    func draw(_ range: Range<Int>, palette: [UInt8], transparent: UInt8?, over out: UnsafeMutableRawPointer) {
        var count = 0
        guard let indices = kuva_gif_lzw_indices(decoder, &count), range.upperBound <= count else { return }
        kuva_gif_draw(
            indices + range.lowerBound,
            range.count,
            palette,
            transparent.map(Int32.init) ?? -1,
            out.assumingMemoryBound(to: UInt8.self)
        )
    }

    private static var outOfMemory: ImageError {
        ImageError(
            .outOfMemory,
            "the system did not give the memory to decode a GIF frame",
            advice: "lower the memory limits of the caches"
        )
    }
}
