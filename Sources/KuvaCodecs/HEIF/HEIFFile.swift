#if HEIF
    internal import CKuvaHEIF
    internal import FoundationEssentials
    internal import KuvaCore

    /// Reads the primary picture of a HEIF file through libheif, cropped, turned and mirrored by the library as `clap`,
    /// `irot` and `imir` say; EXIF's orientation has no say (ISO/IEC 23008-12, A.2.3), so it is turned once.
    ///
    /// Colours become sRGB by the profile or the numbers (`nclx`) that the file has, those of PQ and HLG as ``ToneMap`` says;
    /// but colour that the file has multiplied by alpha stays what it is.
    ///
    /// The library holds the whole picture, so its pixels count against ``DecodeLimits/maximumOutputPixels``. Sequences in
    /// tracks are not read: a file that has one shows its primary picture.
    final class HEIFFile: PictureFile {
        let info: ImageInfo
        private let rowAlpha: FrameWriter.RowAlpha
        private let colour: ColourPlan
        private let options: DecodeOptions

        private init(
            _ header: kuva_heif_info,
            _ colours: ColourDescription,
            _ format: ImageFormat,
            _ options: DecodeOptions
        ) throws(ImageError) {
            let size = PixelSize(width: Int(header.width), height: Int(header.height))
            try options.limits.check(heldWhole: size, "a HEIF")
            let hasAlpha = header.has_alpha != 0
            rowAlpha = hasAlpha ? header.is_premultiplied != 0 ? .premultiplied : .straight : .opaque
            self.options = options
            colour = try ColourPlan(
                rowAlpha == .premultiplied && colours != .sRGB ? .isUnknown : colours,
                options: options
            )
            info = ImageInfo(
                format: format,
                storedSize: size,
                bitsPerChannel: Int(header.bits_per_channel),
                hasAlpha: hasAlpha,
                pixelDescription: hasAlpha ? "colour and alpha" : "colour",
                iccProfileByteCount: header.icc_size,
                outputLayout: try options.outputLayout(
                    storedSize: size,
                    rowAlpha: rowAlpha,
                    colorSpace: colour.colorSpace
                )
            )
        }

        static func open(
            _ input: InputBytes,
            format: ImageFormat,
            options: DecodeOptions
        ) throws(ImageError) -> HEIFFile? {
            guard input.isComplete else { return nil }
            return try HEIFHandle.with(input, limits: options.limits) { handle, header throws(ImageError) in
                try HEIFFile(header, handle.colours(header, limits: options.limits), format, options)
            }
        }

        func decode(_ input: InputBytes, into canvas: inout PixelCanvas) throws(ImageError) -> FrameInfo? {
            try HEIFHandle.with(input, limits: options.limits) { handle, _ throws(ImageError) in
                try handle.decode { rows, bytesPerRow, size throws(ImageError) in
                    guard size == info.storedSize else {
                        throw .corrupt("the HEIF", "it says \(info.storedSize) pixels and its picture has \(size)")
                    }
                    var writer = try FrameWriter(
                        storedSize: size,
                        rowAlpha: rowAlpha,
                        output: info.outputLayout,
                        converter: colour.converter
                    )
                    writer.write(rows, bytesPerRow: bytesPerRow, count: size.height, into: &canvas)
                    return FrameInfo(index: 0, alpha: writer.finish(into: &canvas))
                }
            }
        }
    }
#endif
