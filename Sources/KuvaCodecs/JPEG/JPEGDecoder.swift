internal import FoundationEssentials
internal import KuvaCore

/// Reads JPEG (ITU-T T.81: sequential, extended, progressive and arithmetic, of 8 bits) through libjpeg-turbo.
///
/// A target size makes the library decode at 1/2, 1/4 or 1/8 where that still covers it; ``FrameWriter`` does the rest.
/// Pictures of one scan are decoded row by row as the bytes come. Those of several scans are held as coefficients until
/// the last one has come, so their stored pixels count against ``DecodeLimits/maximumOutputPixels``.
///
/// CMYK becomes RGB without a profile as `R = (255 - C) * (255 - K) / 255` and so on, rounded to nearest: what Pillow and
/// stb_image do, and the only conversion that the file itself says enough for. Where Adobe's marker is present, the
/// samples are inverted, as Adobe's programs write them; where it is not, 255 is full ink (ITU-T T.872, 6.1).
final class JPEGDecoder: ImageDecoder {
    let format = ImageFormat.jpeg
    let options: DecodeOptions
    private(set) var input = InputBytes()

    private enum Phase {
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
    private var phase = Phase.header
    private var scan = 1
    private var writer: FrameWriter?
    private var failure: ImageError?

    init(options: DecodeOptions) { self.options = options }

    func append(_ bytes: Data, isLast: Bool) { input.append(bytes, isLast: isLast) }

    func readInfo() throws(ImageError) -> DecoderStep<ImageInfo> {
        try sticky { handle throws(ImageError) in
            if let info { return .done(info) }
            guard case .done(let header) = try handle.readHeader(from: input) else {
                if input.isComplete { throw .jpegTruncated("inside its header") }
                return .needsMoreBytes
            }
            let info = try makeInfo(for: header)
            (self.header, self.info) = (header, info)
            return .done(info)
        }
    }

    func decodeFrame(into canvas: inout PixelCanvas) throws(ImageError) -> DecoderStep<FrameInfo> {
        guard case .done(let info) = try readInfo(), let header else { return .needsMoreBytes }
        try canvas.checkLayout(info.outputLayout)
        return try sticky { handle throws(ImageError) in
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

    private func sticky<R>(_ body: (JPEGHandle) throws(ImageError) -> R) throws(ImageError) -> R {
        if let failure { throw failure }
        do throws(ImageError) {
            if let handle { return try body(handle) }
            let handle = try JPEGHandle()
            self.handle = handle
            return try body(handle)
        } catch {
            failure = error
            handle = nil
            writer = nil
            throw error
        }
    }
}

extension JPEGDecoder {
    private func start(_ handle: JPEGHandle, _ header: JPEGHeader, _ info: ImageInfo) throws(ImageError) {
        let output = info.outputLayout.size
        let target = info.orientation.isTransposed ? output.transposed : output
        writer = try FrameWriter(
            storedSize: handle.start(denominator: Self.denominator(for: header.size, covering: target)),
            rowAlpha: .opaque,
            orientation: info.orientation,
            output: info.outputLayout
        )
        phase = header.holdsWholePicture ? .absorbing : .rows
    }

    /// The largest of 1, 2, 4 and 8 by which the stored picture may be divided and still cover the output.
    static func denominator(for stored: PixelSize, covering output: PixelSize) -> Int {
        [8, 4, 2].first {
            (stored.width + $0 - 1) / $0 >= output.width && (stored.height + $0 - 1) / $0 >= output.height
        } ?? 1
    }

    private func absorb(_ handle: JPEGHandle) throws(ImageError) -> DecoderStep<Void> {
        while true {
            try options.cancellation?.check()
            switch try handle.absorb(rows: 16, from: input) {
            case .needsMoreBytes: return .needsMoreBytes
            case .done(let scan):
                guard scan <= options.limits.maximumScanCount else {
                    throw DecodeLimits.exceeded(
                        "the JPEG has more than \(options.limits.maximumScanCount) scans",
                        "maximumScanCount"
                    )
                }
                self.scan = scan
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
            try options.cancellation?.check()
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
