internal import KuvaCore

/// A picture on its way to a file of its own, shared by all callers who want it kept.
final class ResultFile: Sendable {
    let image: Image
    let spec: PictureSpec
    /// The answer that brought the file it was made from; `nil` if that did not come by HTTP.
    let response: StoredResponse?
    let store = Lock(StoreOnce())

    init(image: Image, spec: PictureSpec, response: StoredResponse?) {
        self.image = image
        self.spec = spec
        self.response = response
    }
}

extension ImageEncoderProvider {
    /// The format that a picture is kept in: its own, if that can hold it, else one that loses nothing.
    func formatForKeeping(_ image: Image) -> ImageFormat? {
        let losesAlpha = image.format == .jpeg && image.pixels.layout.alpha != .opaque
        let losesColours = image.format == .gif
        if !losesAlpha, !losesColours, canEncode(image.format) { return image.format }
        return [ImageFormat.png, .webp].first { canEncode($0) }
    }
}
