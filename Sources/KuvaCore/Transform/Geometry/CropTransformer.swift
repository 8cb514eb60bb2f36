/// Cuts a rectangle out of a picture, as a viewer sees it: orientation is applied before.
///
/// Key: `crop(100x80+10+20)` for a rectangle, `crop(100x80,top-left)` for a size and an anchor.
public struct CropTransformer: ImageTransformer, Hashable {
    private enum Area: Hashable {
        case rect(PixelRect)
        case size(PixelSize, Anchor)
    }

    private let area: Area

    /// Cuts out a rectangle of pixels; what of it lies outside the picture is left out.
    public init(_ rect: PixelRect) { area = .rect(rect) }

    /// Cuts out a size in pixels at a place; a side longer than the picture's counts as that.
    public init(_ size: PixelSize, at anchor: Anchor = .center) { area = .size(size, anchor) }

    /// The canonical text of the area.
    public var key: String {
        switch area {
        case .rect(let rect): TransformKey.make("crop", ["\(rect)"])
        case .size(let size, let anchor): TransformKey.make("crop", ["\(size)", anchor.rawValue])
        }
    }

    /// The part of the picture; the same picture where it is the whole.
    ///
    /// - Throws: ``ImageError`` with the code `invalid-configuration` if no pixel of the picture is in the area, or
    ///   `out-of-memory`.
    public func transform(_ image: Image, pool: PixelBufferPool) throws(ImageError) -> Image {
        guard let rect = rect(in: image.pixelSize) else {
            throw ImageError(
                .invalidConfiguration,
                "\(key) leaves no pixel of a picture of \(image.pixelSize) pixels",
                advice: "cut out a part that lies inside the picture",
                stage: .transform
            )
        }
        return try image.cropped(to: rect, pool: pool)
    }

    private func rect(in picture: PixelSize) -> PixelRect? {
        switch area {
        case .rect(let rect): return rect.clipped(to: picture)
        case .size(let size, let anchor):
            let size = PixelSize(width: min(size.width, picture.width), height: min(size.height, picture.height))
            return size.isEmpty ? nil : anchor.place(size, in: picture)
        }
    }
}

extension ImageTransformer where Self == CropTransformer {
    /// Cuts out a rectangle of pixels; see ``CropTransformer``.
    public static func crop(_ rect: PixelRect) -> CropTransformer { CropTransformer(rect) }

    /// Cuts out a size in pixels at a place; see ``CropTransformer``.
    public static func crop(_ size: PixelSize, at anchor: Anchor = .center) -> CropTransformer {
        CropTransformer(size, at: anchor)
    }
}

extension Image {
    /// A part; the rectangle must lie inside.
    func cropped(to rect: PixelRect, pool: PixelBufferPool) throws(ImageError) -> Image {
        guard rect.size != pixelSize else { return self }
        return try redrawn(rect.size, pool: pool) { source, target in
            source.part(rect).copy(to: target)
            return pixels.layout.alpha == .opaque ? .opaque : .premultiplied
        }
    }
}
