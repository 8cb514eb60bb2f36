package import KuvaCore

/// The place that a view has for its pictures.
package struct ShownSize: Hashable, Sendable {
    /// Width in device pixels; 0 if it follows the picture.
    package var width: Int
    /// Height in device pixels; 0 if it follows the picture.
    package var height: Int
    /// How pictures meet the place.
    package var fit: ContentFit
    /// Device pixels of the screen: what a side counts as that follows the picture.
    package var screen: PixelSize

    package init(width: Int, height: Int, fit: ContentFit, screen: PixelSize) {
        self.width = width
        self.height = height
        self.fit = fit
        self.screen = screen
    }

    /// The size to decode to.
    package var target: TargetSize {
        let size = PixelSize(width: width > 0 ? width : screen.width, height: height > 0 ? height : screen.height)
        return TargetSize(size, mode: width > 0 && height > 0 ? fit.decodeMode : .aspectFit)
    }

    /// Whether a picture should be decoded again, because it is shown so much larger than it was decoded that it looks
    /// blurred: by more than an eighth.
    ///
    /// - Parameters:
    ///   - pixels: the size of the picture.
    ///   - earlier: what it was decoded for. A picture that does not fill that is as large as its file has it.
    package func outgrows(_ pixels: PixelSize, decodedFor earlier: TargetSize) -> Bool {
        let (box, mode) = (earlier.size, earlier.mode)
        let (isWide, isHigh) = (pixels.width >= box.width, pixels.height >= box.height)
        guard mode == .aspectFit ? isWide || isHigh : isWide && isHigh else { return false }
        let wanted = TargetSize(target.size, mode: target.mode, allowsUpscaling: true).outputSize(for: pixels)
        return wanted.width * 8 > pixels.width * 9 || wanted.height * 8 > pixels.height * 9
    }

    /// Whether a picture is shown in less than half of its width and height, so that most of its pixels are memory and
    /// drawing time for nothing.
    package func isMuchSmaller(than pixels: PixelSize) -> Bool {
        let wanted = target.outputSize(for: pixels)
        return wanted.width * 2 <= pixels.width && wanted.height * 2 <= pixels.height
    }
}
