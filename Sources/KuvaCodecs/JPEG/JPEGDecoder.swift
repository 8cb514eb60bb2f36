internal import FoundationEssentials
internal import KuvaCore

/// Reads JPEG (ITU-T T.81: sequential, extended, progressive and arithmetic, of 8 bits) through libjpeg-turbo.
///
/// A target size makes the library decode at 1/2, 1/4 or 1/8 where that still covers it; ``FrameWriter`` does the rest.
/// Pictures of one scan are decoded row by row as the bytes come. Those of several scans are held as coefficients until
/// the last one has come, so their stored pixels count against ``DecodeLimits/maximumOutputPixels``.
///
/// CMYK without a profile becomes RGB as `R = (255 - C) * (255 - K) / 255` and so on, rounded to nearest: what Pillow and
/// stb_image do, and the only conversion that the file itself says enough for. Where Adobe's marker is present, the
/// samples are inverted, as Adobe's programs write them; where it is not, 255 is full ink (ITU-T T.872, 6.1).
final class JPEGDecoder: ProgressiveImageDecoder {
    let format = ImageFormat.jpeg
    let options: DecodeOptions
    private(set) var input = InputBytes()

    enum Phase {
        /// Nothing but the header has been read.
        case header
        /// Scans are being taken in.
        case absorbing
        /// Rows are being decoded; ended once there is no writer.
        case rows
    }

    private var handle: JPEGHandle?
    private var header: JPEGHeader?
    private var info: ImageInfo?
    private var colour = ColourPlan.sRGB
    private(set) var phase = Phase.header
    /// The scan that is being read, from 1.
    private(set) var scan = 1
    /// The size in which the library decodes.
    private(set) var decodedSize = PixelSize(width: 0, height: 0)
    private var writer: FrameWriter?
    private var hold = FrameHold()
    /// The whole scans that the last preview had.
    private var previewedScans = 0
    private var previewCount = 0
    private var lastingError = LastingError()

    /// How a file without EXIF of its own is turned.
    let usualOrientation: Orientation
    private var hasTriedThumbnail = false

    init(options: DecodeOptions, usualOrientation: Orientation = .up) {
        self.options = options
        self.usualOrientation = usualOrientation
    }

    func append(_ bytes: Data, isLast: Bool) { input.append(bytes, isLast: isLast) }

    func readInfo() throws(ImageError) -> DecoderStep<ImageInfo> {
        try withHandle { handle throws(ImageError) in
            if let info { return .done(info) }
            guard case .done(let header) = try handle.readHeader(from: input) else {
                if input.isComplete { throw .jpegTruncated("inside its header") }
                return .needsMoreBytes
            }
            let (info, colour) = try makeInfo(for: header)
            (self.header, self.info, self.colour) = (header, info, colour)
            return .done(info)
        }
    }

    func decodeFrame(into canvas: inout PixelCanvas) throws(ImageError) -> DecoderStep<FrameInfo> {
        guard case .done(let info) = try readInfo() else { return .needsMoreBytes }
        try canvas.checkLayout(info.outputLayout)
        return try hold.decodeFrame(into: &canvas) { canvas throws(ImageError) in try advance(into: &canvas) }
    }

    /// First the thumbnail that the file has in it, if it has one. Then pictures of one scan are shown by rows, over the
    /// thumbnail, the others after each scan.
    func decodePreview(into canvas: inout PixelCanvas) throws(ImageError) -> DecoderStep<FrameInfo> {
        try options.timing(isPreview: true) { () throws(ImageError) in try preview(into: &canvas) }
    }

    private func preview(into canvas: inout PixelCanvas) throws(ImageError) -> DecoderStep<FrameInfo> {
        guard case .done(let info) = try readInfo(), let header, !hold.isBypassed else { return .needsMoreBytes }
        try canvas.checkLayout(info.outputLayout)
        if !hasTriedThumbnail {
            hasTriedThumbnail = true
            if drawThumbnail(info, into: &canvas) {
                if !header.holdsWholePicture { try hold.begin(with: &canvas) }
                return .done(FrameInfo(index: 0, alpha: .opaque))
            }
        }
        if header.holdsWholePicture {
            let isWhole = try withHandle { handle throws(ImageError) in
                if phase == .header { try start(handle, header, info) }
                guard phase == .absorbing, case .needsMoreBytes = try absorb(handle) else { return true }
                return false
            }
            if !isWhole { return try previewScans(info, into: &canvas) }
        }
        return try hold.decodePreview(
            into: &canvas,
            height: decodedSize.height,
            rowCount: { writer?.rowCount ?? 0 },
            { canvas throws(ImageError) in try advance(into: &canvas) }
        )
    }

    /// Takes the picture as far as the bytes go.
    private func advance(into canvas: inout PixelCanvas) throws(ImageError) -> DecoderStep<FrameInfo> {
        guard let header, let info else { return .needsMoreBytes }
        return try options.timing { () throws(ImageError) in
            try withHandle { handle throws(ImageError) in
                if phase == .header { try start(handle, header, info) }
                if phase == .absorbing, case .needsMoreBytes = try absorb(handle) { return .needsMoreBytes }
                guard var writer = writer.take() else { return .end }
                guard let outcome = try readRows(handle, &writer, into: &canvas) else {
                    self.writer = consume writer
                    return .needsMoreBytes
                }
                let damage = try damage(handle, after: outcome, rows: writer.rowCount, of: writer.storedSize.height)
                return .done(FrameInfo(index: 0, alpha: writer.finish(into: &canvas), damage: damage))
            }
        }
    }

    /// Shows the coefficients that have come, if a scan has become whole since the last time. Each costs a pass over
    /// the picture, so there are no more than ``FrameHold/maximumPreviews``.
    private func previewScans(
        _ info: ImageInfo,
        into canvas: inout PixelCanvas
    ) throws(ImageError) -> DecoderStep<FrameInfo> {
        guard scan - 1 > previewedScans, previewCount < FrameHold.maximumPreviews else { return .needsMoreBytes }
        (previewedScans, previewCount) = (scan - 1, previewCount + 1)
        return try withHandle { handle throws(ImageError) in
            var writer = try makeWriter(info)
            try handle.startPreview()
            if case .failed(let error) = try readRows(handle, &writer, into: &canvas) { throw error }
            try handle.endPreview(input)
            return .done(FrameInfo(index: 0, alpha: writer.finish(into: &canvas)))
        }
    }

    private func withHandle<R>(_ body: (JPEGHandle) throws(ImageError) -> R) throws(ImageError) -> R {
        try lastingError.run { () throws(ImageError) in
            if let handle { return try body(handle) }
            let handle = try JPEGHandle()
            self.handle = handle
            return try body(handle)
        } abandon: {
            handle = nil
            writer = nil
        }
    }
}

extension JPEGDecoder {
    private func start(_ handle: JPEGHandle, _ header: JPEGHeader, _ info: ImageInfo) throws(ImageError) {
        let output = info.outputLayout.size
        let isTransposed = options.appliedOrientation(info.orientation).isTransposed
        let denominator = Self.denominator(
            for: header.size,
            covering: isTransposed ? output.transposed : output,
            quality: options.scalingQuality
        )
        let isInk = header.colour == .cmyk || header.colour == .ycck
        decodedSize = try handle.start(denominator: denominator, keepsInks: isInk && colour.converter != nil)
        writer = try makeWriter(info)
        phase = header.holdsWholePicture ? .absorbing : .rows
    }

    private func makeWriter(_ info: ImageInfo) throws(ImageError) -> FrameWriter {
        try FrameWriter(
            storedSize: decodedSize,
            rowAlpha: .opaque,
            orientation: options.appliedOrientation(info.orientation),
            output: info.outputLayout,
            converter: colour.converter
        )
    }

    /// The largest of 1, 2, 4 and 8 by which the stored picture may be divided and still cover the output; for the best
    /// quality, one and a half times the output.
    static func denominator(
        for stored: PixelSize,
        covering output: PixelSize,
        quality: ScalingQuality = .standard
    ) -> Int {
        let (width, height) =
            switch quality {
            case .standard: (output.width, output.height)
            case .best: (output.width * 3 / 2, output.height * 3 / 2)
            }
        return [8, 4, 2].first {
            (stored.width + $0 - 1) / $0 >= width && (stored.height + $0 - 1) / $0 >= height
        } ?? 1
    }

    private func absorb(_ handle: JPEGHandle) throws(ImageError) -> DecoderStep<Void> {
        while true {
            try options.checkpoint()
            let step = try handle.absorb(rows: 16, from: input, scan: &scan)
            guard scan <= options.limits.maximumScanCount else {
                throw DecodeLimits.exceeded(
                    "the JPEG has more than \(options.limits.maximumScanCount) scans",
                    "maximumScanCount"
                )
            }
            switch step {
            case .needsMoreBytes: return .needsMoreBytes
            case .done: continue
            case .end:
                try handle.startOutput()
                phase = .rows
                return .done(())
            }
        }
    }

    /// Reads rows until they end or the bytes run out; `nil` means the latter.
    private func readRows(
        _ handle: JPEGHandle,
        _ writer: inout FrameWriter,
        into canvas: inout PixelCanvas
    ) throws(ImageError) -> JPEGHandle.RowsOutcome? {
        let strip = RowBuffer(width: writer.isDirect ? 0 : writer.storedSize.width)
        var outcome = JPEGHandle.RowsOutcome.more
        while case .more = outcome {
            try options.checkpoint()
            if writer.isDirect {
                writer.writeDirectly(into: &canvas) { rows, bytesPerRow in
                    let count = min(64, rows.count / bytesPerRow)
                    return handle.readRows(
                        into: rows.baseAddress!,
                        bytesPerRow: bytesPerRow,
                        count: count,
                        from: input,
                        outcome: &outcome
                    )
                }
            } else {
                let count = handle.readRows(
                    into: strip.start,
                    bytesPerRow: strip.bytesPerRow,
                    count: strip.rowCount,
                    from: input,
                    outcome: &outcome
                )
                writer.write(strip.start, bytesPerRow: strip.bytesPerRow, count: count, into: &canvas)
            }
        }
        if case .needsMoreBytes = outcome, !input.isComplete { return nil }
        return outcome
    }

    /// Why the picture is only partly there, if it is.
    ///
    /// - Throws: the same where there is nothing to show, and whatever is not the file's fault.
    private func damage(
        _ handle: JPEGHandle,
        after outcome: JPEGHandle.RowsOutcome,
        rows: Int,
        of height: Int
    ) throws(ImageError) -> ImageError? {
        let damage: ImageError
        if case .failed(let error) = outcome {
            guard error.code == .corruptImage else { throw error }
            damage = error
        } else if handle.isCutOff {
            damage = .jpegTruncated(
                rows < height ? "after \(rows) of \(height) rows" : "in its scan \(scan), so that it lacks sharpness"
            )
        } else if let warning = handle.warning {
            damage = .jpegCorrupt(warning)
        } else if rows < height {
            damage = .jpegCorrupt("its data ends after \(rows) of \(height) rows")
        } else {
            return nil
        }
        guard rows > 0 else { throw damage }
        return damage
    }
}
