internal import FoundationEssentials
internal import KuvaCore

/// Reads Windows icons and cursors: the entry that suits the size wanted, whether it is a bitmap or a PNG.
///
/// An entry whose header is broken is passed over while another is good.
final class IconFile: PictureFile {
    let info: ImageInfo
    private let picture: Picture

    private enum Picture {
        case bitmap(IconBitmap)
        case png(any ImageDecoder)
    }

    private init(_ picture: Picture, _ info: ImageInfo) { (self.picture, self.info) = (picture, info) }

    static func open(
        _ input: InputBytes,
        format: ImageFormat,
        options: DecodeOptions
    ) throws(ImageError) -> IconFile? {
        guard input.isComplete else { return nil }
        return try input.withBoundedBytes { bytes throws(ImageError) in
            guard let directory = IconDirectory(bytes), !directory.entries.isEmpty else {
                throw .truncated("the icon", "inside its directory")
            }
            var failure: ImageError?
            for entry in directory.ranked(for: options.targetSize) {
                do throws(ImageError) {
                    return try open(entry, bytes, input, options)
                } catch {
                    failure = failure ?? error
                }
            }
            throw failure ?? .corrupt("the icon", "it has no entry")
        }
    }

    private static func open(
        _ entry: IconDirectory.Entry,
        _ bytes: BoundedBytes,
        _ input: InputBytes,
        _ options: DecodeOptions
    ) throws(ImageError) -> IconFile {
        guard entry.offset < bytes.count else { throw .truncated("the icon", "before the entry \(entry.size)") }
        if bytes.uint8(at: entry.offset) == 0x89, bytes.has("PNG", at: entry.offset + 1) {
            return try openPNG(input.data.dropFirst(entry.offset), options)
        }
        let bitmap = try IconBitmap(bytes, at: entry.offset, limits: options.limits)
        let info = ImageInfo(
            format: .ico,
            storedSize: bitmap.size,
            hasAlpha: true,
            pixelDescription: "bitmap, \(bitmap.header.bitsPerPixel) bits",
            iccProfileByteCount: bitmap.header.iccProfile?.count ?? 0,
            outputLayout: try options.outputLayout(
                storedSize: bitmap.size,
                hasAlpha: true,
                colorSpace: bitmap.header.iccProfile == nil ? .sRGB : .unconverted
            )
        )
        return IconFile(.bitmap(bitmap), info)
    }

    private static func openPNG(_ file: Data, _ options: DecodeOptions) throws(ImageError) -> IconFile {
        guard let decoder = CodecRegistry.builtIn.makeDecoder(forPrefix: file, options: options) else {
            throw .unsupported("the icon", "its entry is a PNG, for which no decoder is registered")
        }
        decoder.append(file, isLast: true)
        guard case .done(var info) = try decoder.readInfo() else {
            throw .truncated("the icon", "inside the header of a PNG")
        }
        info.format = .ico
        info.frameCount = 1
        info.loopCount = nil
        return IconFile(.png(decoder), info)
    }

    func decode(_ input: InputBytes, into canvas: inout PixelCanvas) throws(ImageError) -> FrameInfo? {
        switch picture {
        case .png(let decoder):
            guard case .done(var frame) = try decoder.decodeFrame(into: &canvas) else {
                throw .truncated("the icon", "inside a PNG")
            }
            frame.duration = .zero
            return frame
        case .bitmap(let bitmap):
            var writer = try FrameWriter(
                storedSize: bitmap.size,
                rowAlpha: .straight,
                orientation: bitmap.header.isTopDown ? .up : .downMirrored,
                output: info.outputLayout
            )
            let count = try input.withBoundedBytes { bitmap.write($0, &writer, into: &canvas) }
            let isWhole = count == bitmap.size.height
            let damage =
                isWhole ? nil : ImageError.truncated("the icon", "after \(count) of \(bitmap.size.height) rows")
            if let damage, count == 0 { throw damage }
            return FrameInfo(index: 0, alpha: writer.finish(into: &canvas), damage: damage)
        }
    }
}
