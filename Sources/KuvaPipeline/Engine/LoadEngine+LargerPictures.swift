internal import KuvaCore

/// Pictures in memory that are larger than a request asks for, where it says that such a one will do.
extension LoadEngine {
    /// The smallest picture in memory that shows all that the request would, with as many pixels or more.
    func largerImageInMemory(for request: ImageRequest, key: CacheKey) -> Image? {
        guard request.acceptsLarger, let target = request.targetSize, target.mode != .exact,
            request.transformers.isEmpty, !request.wantsAnimation, request.maximumFrameBytes == nil,
            request.httpCachePolicy != .useProtocol
        else { return nil }
        let candidates = configuration.memoryCache(for: request.parts)?.images(ofOriginal: key.original) ?? [:]
        let fitting = candidates.filter { candidate, image in
            image.scale == request.scale && candidate.isUnchanged(scale: request.scale)
                && (candidate.isWhole(scale: request.scale) || target.isCovered(by: image.pixelSize))
        }
        return fitting.values.min { $0.pixels.layout.byteCount < $1.pixels.layout.byteCount }
    }
}

extension CacheKey {
    /// The part of a key that says the scale, as ``ImageRequest/cacheKey`` writes it.
    private static func suffix(_ scale: Double) -> String {
        scale == 1 ? "" : CacheKey.scaleText(scale)
    }

    /// Whether the picture is the whole file in its own size.
    fileprivate func isWhole(scale: Double) -> Bool { variant == Self.suffix(scale) }

    /// Whether the picture is the file in some size, with its proportions and nothing else done to it.
    fileprivate func isUnchanged(scale: Double) -> Bool {
        if isWhole(scale: scale) { return true }
        let parts = variant.split(separator: " ", omittingEmptySubsequences: false)
        guard let size = parts.first, size.hasPrefix("fit") || size.hasPrefix("fill"), !size.contains("(") else {
            return false
        }
        return scale == 1 ? parts.count == 1 : parts.count == 2 && parts[1] == Self.suffix(scale)
    }
}

extension TargetSize {
    /// Whether a picture of this size, whose file may be larger, has all the pixels that the target asks for.
    fileprivate func isCovered(by picture: PixelSize) -> Bool {
        let isWideEnough = picture.width >= size.width
        let isHighEnough = picture.height >= size.height
        return mode == .aspectFit ? isWideEnough || isHighEnough : isWideEnough && isHighEnough
    }
}
