internal import FoundationEssentials
internal import KuvaCore

extension JPEGDecoder: ImageMetadataReading {
    func readMetadata() throws(ImageError) -> DecoderStep<ImageMetadata> {
        guard case .done = try readInfo() else { return .needsMoreBytes }
        return input.withBytes { bytes in .done(Self.metadata(in: bytes)) }
    }

    /// What the XMP of a picture with a gain map has (Ultra HDR Image Format 1.0, "XMP attributes").
    private static let gainMapVersion = Data("hdrgm:Version".utf8)

    private static func metadata(in file: UnsafeRawBufferPointer) -> ImageMetadata {
        let (segments, bytes) = (JPEGSegments(of: file), BoundedBytes(file))
        func data(_ range: Range<Int>?) -> Data? { range.flatMap { bytes.slice($0) }.map { Data($0) } }
        var metadata = ImageMetadata()
        metadata.exif = data(segments.exif)
        metadata.xmp = data(segments.xmp)
        metadata.hasGainMap =
            segments.hasGainMapSegment || metadata.xmp?.firstRange(of: Self.gainMapVersion) != nil
        metadata.iptc = data(segments.iptc(in: file))
        let profile = segments.iccProfile.flatMap { Array(file[$0]) }
        if !profile.isEmpty { metadata.iccProfile = Data(profile) }
        let exif = segments.exif.flatMap { bytes.slice($0) }
        metadata.density = segments.density ?? exif.flatMap { EXIF.density(in: $0) }
        metadata.thumbnail = exif.flatMap { EXIF.thumbnail(in: $0) }.map { Data($0) }
        metadata.texts = segments.comments.compactMap { range in
            // T.81 leaves the coding to the program; nearly all write ASCII or UTF-8, some end with a zero.
            let text = String(decoding: file[range].prefix { $0 != 0 }, as: UTF8.self)
            return text.isEmpty ? nil : ImageMetadata.Text(keyword: "Comment", text: text)
        }
        return metadata
    }
}
