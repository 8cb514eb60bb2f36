import FoundationEssentials
import Kuva
import KuvaCore
import KuvaPipeline

/// What a file says about its picture.
struct Details: Sendable {
    let format: ImageFormat
    /// Upright, in pixels.
    let size: PixelSize
    let byteCount: Int

    /// Reads the head of a picture's file, from the disk cache or its source; nothing of the picture is kept.
    @MainActor
    static func read(_ request: ImageRequest, with manager: ImageManager) async throws(ImageError) -> Details {
        var request = request
        request.wantsData = true
        request.priority = .low
        // As little as can be decoded: only the file counts here.
        request.targetSize = TargetSize(PixelSize(width: 1, height: 1))
        request.cachePolicy.remove(.writeMemory)
        let response = try await manager.task(for: request).response
        let bytes = response.data ?? Data()
        let decoders = manager.configuration.decoders
        guard let decoder = decoders.makeDecoder(forPrefix: bytes.prefix(256), options: DecodeOptions()) else {
            throw ImageError(.unsupportedFormat, "no decoder takes the file", stage: .decode)
        }
        decoder.append(bytes, isLast: true)
        guard case .done(let info) = try decoder.readInfo() else {
            throw ImageError(.truncatedImage, "the file ends before its size", stage: .decode)
        }
        return Details(format: info.format, size: info.uprightSize, byteCount: bytes.count)
    }
}
