/// Changes the pixels of a picture after it is decoded: crops it, rounds its corners, tints it.
///
/// A value that any thread may use. Transformers see the picture as a viewer does: upright, premultiplied RGBA8, sRGB.
public protocol ImageTransformer: Sendable {
    /// A canonical text that names the change with all its parameters, such as `round-corners(12)`; it is part of cache
    /// keys, so two transformers with one key must do the same.
    var key: String { get }

    /// The changed picture. Blocks the calling thread for the time it takes.
    ///
    /// - Parameters:
    ///   - image: the picture to change; never changed itself.
    ///   - pool: where the memory of new pixels comes from.
    /// - Throws: ``ImageError``, with the code `out-of-memory`, say.
    func transform(_ image: Image, pool: PixelBufferPool) throws(ImageError) -> Image
}
