/// What a decoder does to the pixels of a file on their way into a canvas.
public enum PixelTreatment: Hashable, Sendable {
    /// What a screen wants: premultiplied, sRGB, upright, in the size asked for.
    case display
    /// What the file says, to compare decoders or to edit: straight alpha, no profile applied, not turned, not scaled.
    case stored
}

/// How much a decoder may save on a picture that is wanted small.
public enum ScalingQuality: Hashable, Sendable {
    /// A JPEG is decoded at the smallest of 1/1, 1/2, 1/4 and 1/8 that covers the target, an opaque WebP at twice the
    /// target, and resampled from there.
    case standard
    /// A JPEG is decoded at one and a half times the target or more, which costs up to three times as much; a WebP whole.
    case best
}

/// Turns rows of a file's own colours into sRGB. Any number of threads may use one at a time.
public protocol PixelRowConverter: AnyObject, Sendable {
    /// Converts `count` pixels of four bytes in place. Straight RGBA8 comes out; what goes in is between the decoder
    /// and the converter, for CMYK files four inks. Alpha stays, and is 255 where there was none.
    func convert(_ pixels: UnsafeMutableRawPointer, count: Int)
}
