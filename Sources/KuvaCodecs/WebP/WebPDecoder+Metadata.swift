internal import FoundationEssentials
internal import KuvaCore

extension WebPDecoder: ImageMetadataReading {
    /// EXIF and XMP come last in the file.
    func readMetadata() throws(ImageError) -> DecoderStep<ImageMetadata> {
        guard case .done = try readInfo() else { return .needsMoreBytes }
        try input.withBytes { bytes throws(ImageError) in try container.advance(in: bytes) }
        let limit = options.limits.maximumMetadataBytes
        return input.withBytes { file in
            let bytes = BoundedBytes(file)
            func block(_ range: Range<Int>?) -> UnsafeRawBufferPointer? {
                range.flatMap { $0.count <= limit ? bytes.slice($0) : nil }
            }
            var metadata = ImageMetadata()
            metadata.exif = block(container.exif).map { Data($0) }
            metadata.xmp = block(container.xmp).map { Data($0) }
            metadata.iccProfile = block(container.iccProfile).map { Data($0) }
            metadata.density = block(container.exif).flatMap { EXIF.density(in: $0) }
            metadata.thumbnail = block(container.exif).flatMap { EXIF.thumbnail(in: $0) }.map { Data($0) }
            return .done(metadata)
        }
    }
}
