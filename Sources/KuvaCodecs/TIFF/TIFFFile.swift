#if TIFF
    internal import CKuvaTIFF
    internal import FoundationEssentials
    internal import KuvaCore

    /// Reads the first page of a TIFF or BigTIFF through libtiff; pages are counted.
    ///
    /// Grey, palette, RGB and CMYK of 1 to 16 and 32 bits are converted here, rows at a time, so that memory follows a strip
    /// or a row of tiles; of samples wider than 8 bits the high byte counts, and CMYK without its profile becomes RGB as in
    /// JPEG. What else the library can turn into RGBA, such as YCbCr, Lab and LogLuv, it does.
    final class TIFFFile: PictureFile {
        let info: ImageInfo
        private let rowAlpha: FrameWriter.RowAlpha
        private let rowsPerBand: Int
        private let options: DecodeOptions

        private init(_ header: kuva_tiff_info, _ options: DecodeOptions) throws(ImageError) {
            let size = PixelSize(width: Int(header.width), height: Int(header.height))
            try options.limits.check(source: size)
            rowsPerBand = Int(header.rows_per_band)
            try Self.check(working: header, size, options.limits)
            guard header.page_count <= options.limits.maximumFrameCount else {
                throw DecodeLimits.exceeded(
                    "the TIFF has more than \(header.page_count - 1) pages",
                    "maximumFrameCount"
                )
            }
            let orientation = Orientation(rawValue: Int(header.orientation)) ?? .up
            rowAlpha = header.alpha == 0 ? .opaque : header.alpha == 1 ? .premultiplied : .straight
            self.options = options
            info = ImageInfo(
                format: .tiff,
                storedSize: size,
                orientation: orientation,
                frameCount: max(1, Int(header.page_count)),
                bitsPerChannel: Int(header.bits_per_sample),
                hasAlpha: header.alpha != 0,
                pixelDescription: Self.name(ofPhotometric: header.photometric),
                iccProfileByteCount: Int(header.icc_size),
                outputLayout: try options.outputLayout(
                    storedSize: size,
                    orientation: orientation,
                    rowAlpha: rowAlpha,
                    colorSpace: header.icc_size == 0 ? .sRGB : .unconverted
                )
            )
        }

        /// A band and what reading it takes are held whole, so they count as a decoded picture does.
        private static func check(
            working header: kuva_tiff_info,
            _ size: PixelSize,
            _ limits: DecodeLimits
        ) throws(ImageError) {
            let band = PixelSize(width: size.width, height: Int(header.rows_per_band))
            guard let count = band.pixelCount, count <= limits.maximumOutputPixels,
                header.working_size / 4 <= UInt64(clamping: limits.maximumOutputPixels)
            else {
                throw DecodeLimits.exceeded(
                    "a strip or row of tiles of the TIFF is held whole, and one of \(band) pixels has more than "
                        + "\(limits.maximumOutputPixels)",
                    "maximumOutputPixels"
                )
            }
        }

        static func open(
            _ input: InputBytes,
            format: ImageFormat,
            options: DecodeOptions
        ) throws(ImageError) -> TIFFFile? {
            guard input.isComplete else { return nil }
            let header = try TIFFHandle.with(input, limits: options.limits) { handle throws(ImageError) in
                try handle.readInfo()
            }
            return try TIFFFile(header, options)
        }

        func decode(_ input: InputBytes, into canvas: inout PixelCanvas) throws(ImageError) -> FrameInfo? {
            var writer = try FrameWriter(
                storedSize: info.storedSize,
                rowAlpha: rowAlpha,
                orientation: options.appliedOrientation(info.orientation),
                output: info.outputLayout
            )
            let damage = try TIFFHandle.with(input, limits: options.limits) { handle throws(ImageError) in
                _ = try handle.readInfo()
                return try readBands(handle, &writer, into: &canvas)
            }
            if let damage, writer.rowCount == 0 { throw damage }
            return FrameInfo(index: 0, alpha: writer.finish(into: &canvas), damage: damage)
        }

        /// - Returns: why not all rows came, if they did not.
        private func readBands(
            _ handle: borrowing TIFFHandle,
            _ writer: inout FrameWriter,
            into canvas: inout PixelCanvas
        ) throws(ImageError) -> ImageError? {
            let band = RowBuffer(width: info.storedSize.width, rowCount: rowsPerBand)
            while writer.rowCount < info.storedSize.height {
                try options.checkpoint()
                var count = 0
                let error = handle.readRows(into: band.start, count: &count)
                writer.write(band.start, bytesPerRow: band.bytesPerRow, count: count, into: &canvas)
                if let error { return error }
                if count == 0 { return .corrupt("the TIFF", "its rows end early") }
            }
            return nil
        }

        /// TIFF 6.0, tag 262.
        private static func name(ofPhotometric value: UInt32) -> String {
            switch value {
            case 0, 1: "grey"
            case 2: "RGB"
            case 3: "palette"
            case 5: "CMYK"
            case 6: "YCbCr"
            case 8, 9, 10: "Lab"
            case 32844, 32845: "LogLuv"
            default: "photometric \(value)"
            }
        }
    }
#endif
