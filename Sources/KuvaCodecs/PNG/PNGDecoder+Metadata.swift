internal import FoundationEssentials
internal import KuvaCore

extension PNGDecoder: ImageMetadataReading {
    /// From the chunks before the image data; texts behind it are not looked for.
    func readMetadata() throws(ImageError) -> DecoderStep<ImageMetadata> {
        guard case .done = try readInfo(), let found = metadata else { return .needsMoreBytes }
        var metadata = ImageMetadata()
        metadata.exif = found.exif.map { Data($0) }
        metadata.xmp = found.notes.xmp.map { Data($0) }
        metadata.iccProfile = found.colour.profile.map { Data($0) }
        metadata.texts = found.notes.texts
        let fromEXIF = found.exif.map { exif in
            exif.withUnsafeBytes { (EXIF.density(in: $0), EXIF.thumbnail(in: $0).map { Data($0) }) }
        }
        metadata.density = found.notes.density ?? fromEXIF?.0
        metadata.thumbnail = fromEXIF?.1
        return .done(metadata)
    }
}
