internal import KuvaCore

/// Reads the chunks before the image data, and leaves the chunk reader at the first byte of the data.
struct PNGMetadataReader {
    private var metadata: PNGMetadata?
    /// A chunk whose header has been read and whose body is wanted.
    private var pending: PNGChunkHeader?

    /// - Returns: the metadata, or `nil` while there are not enough bytes.
    /// - Throws: `corrupt-image` where the picture cannot be shown, `limit-exceeded`.
    mutating func read(
        _ chunks: inout PNGChunkReader,
        from stream: inout ByteStream,
        limits: DecodeLimits
    ) throws(ImageError) -> PNGMetadata? {
        while true {
            if let chunk = pending {
                guard let (bytes, isIntact) = chunks.body(from: &stream) else { return nil }
                pending = nil
                try take(chunk.type, bytes, isIntact: isIntact, limits: limits)
            }
            guard let chunk = try chunks.next(from: &stream) else { return nil }
            guard let metadata else {
                guard chunk.type == .header, chunk.length == PNGHeader.byteCount else {
                    throw PNGChunkReader.corrupt("the file starts with a chunk \(chunk.type) and not with its header")
                }
                pending = chunk
                continue
            }
            if chunk.type == .imageData { return try Self.checked(metadata) }
            if metadata.wants(chunk, limits: limits) {
                pending = chunk
            } else if chunk.type.isCritical, chunk.type != .palette {
                throw PNGChunkReader.corrupt(
                    chunk.type == .end
                        ? "the file has no image data" : "the chunk \(chunk.type) is unknown and critical"
                )
            }
        }
    }

    private mutating func take(
        _ type: PNGChunkType,
        _ bytes: [UInt8],
        isIntact: Bool,
        limits: DecodeLimits
    ) throws(ImageError) {
        if isIntact {
            guard metadata != nil else {
                metadata = PNGMetadata(header: try PNGHeader(bytes, limits: limits))
                return
            }
            try metadata?.take(type, bytes, limits: limits)
        } else if type == .header || (type == .palette && metadata?.header.colour == .palette) {
            throw PNGChunkReader.corrupt("the chunk \(type) does not match its checksum")
        }
    }

    private static func checked(_ metadata: PNGMetadata) throws(ImageError) -> PNGMetadata {
        guard metadata.header.colour != .palette || metadata.palette != nil else {
            throw PNGChunkReader.corrupt("the picture has a palette and the file does not say which")
        }
        return metadata
    }
}

extension PNGMetadata {
    /// What a decoder says about the file.
    ///
    /// - Throws: `limit-exceeded` if the picture does not fit the limits in the size wanted.
    func info(for options: DecodeOptions, colour plan: ColourPlan) throws(ImageError) -> ImageInfo {
        let size = header.size
        let layout = try options.outputLayout(
            storedSize: size,
            orientation: orientation,
            hasAlpha: hasAlpha,
            colorSpace: plan.colorSpace
        )
        let limit = options.limits.maximumOutputPixels
        if header.isInterlaced, size.pixelCount ?? .max > limit {
            throw DecodeLimits.exceeded(
                "an interlaced picture must be decoded as a whole, and \(size) pixels are more than \(limit)",
                "maximumOutputPixels"
            )
        }
        return ImageInfo(
            format: animation == nil ? .png : .apng,
            storedSize: size,
            orientation: orientation,
            frameCount: animation?.frameCount ?? 1,
            loopCount: animation?.loopCount,
            bitsPerChannel: header.colour == .palette ? 8 : Int(header.bitDepth),
            hasAlpha: hasAlpha,
            pixelDescription: header.description,
            iccProfileByteCount: colour.profile?.count ?? 0,
            outputLayout: layout
        )
    }
}
