internal import FoundationEssentials
internal import KuvaCore

extension WebPDecoder {
    /// How far the library got with the bytes that are there.
    enum FeedOutcome {
        case done
        case needsMoreBytes
        case failed(ImageError)
    }

    /// Starts the frame, and ends it in one go where the file is whole and its rows may go to the canvas itself.
    func begin(
        _ info: ImageInfo,
        _ frame: WebPContainer.Frame,
        into canvas: inout PixelCanvas
    ) throws(ImageError) -> DecoderStep<FrameInfo> {
        let features = try input.withBytes { bytes throws(ImageError) in
            try WebPHandle.features(of: Self.part(frame.data, of: bytes))
        }
        guard case .done(let features) = features else {
            if input.isComplete { throw .webpTruncated("before its picture") }
            return .needsMoreBytes
        }
        guard features.size == frame.size, !features.isAnimated else {
            throw .webpCorrupt("its picture is \(features.size) pixels where \(frame.size) are announced")
        }
        let isCovering = frame.size == info.storedSize
        let isScalable = isCovering && !features.hasAlpha && options.scalingQuality == .standard
        if isScalable, !features.isLossless, let (layout, size) = planes(for: info) {
            let writer = try FrameWriter(
                storedSize: size,
                rowAlpha: .opaque,
                orientation: options.appliedOrientation(info.orientation),
                output: info.outputLayout,
                converter: colour.converter
            )
            held = try HeldFrame(planesOf: frame, layout, writer: writer)
            return try goOn(into: &canvas)
        }
        let scaledSize = isScalable ? scaledSize(for: info) : nil
        var writer = try FrameWriter(
            storedSize: scaledSize ?? info.storedSize,
            rowAlpha: features.hasAlpha || !isCovering ? .straight : .opaque,
            orientation: options.appliedOrientation(info.orientation),
            output: info.outputLayout,
            converter: colour.converter
        )
        guard writer.isDirect, isCovering, input.isComplete else {
            held = try HeldFrame(frame, scaledSize: scaledSize, writer: writer)
            return try goOn(into: &canvas)
        }
        var outcome = FeedOutcome.needsMoreBytes
        try writer.writeDirectly(into: &canvas) { rows, bytesPerRow throws(ImageError) in
            let handle = try WebPHandle(pixels: rows, bytesPerRow: bytesPerRow)
            outcome = try feed(handle, frame)
            return handle.rowCount
        }
        let damage = try damage(after: outcome, rows: writer.rowCount, of: frame.size.height)
        return .done(
            FrameInfo(index: 0, duration: frame.duration, alpha: writer.finish(into: &canvas), damage: damage)
        )
    }

    /// Twice the output, where that is some steps smaller than the picture: the library scales an opaque picture to it
    /// while it decodes, before it makes RGB, and the writer goes on from there. That costs less than the whole picture in
    /// RGB, in time and memory.
    private func scaledSize(for info: ImageInfo) -> PixelSize? {
        let (size, stored) = (writtenSize(of: info), info.storedSize)
        guard stored.width >= size.width * 5 / 2, stored.height >= size.height * 5 / 2 else { return nil }
        return PixelSize(width: size.width * 2, height: size.height * 2)
    }

    /// The planes in which a lossy picture is scaled, and to what, where it is wanted at half its size or less: then no
    /// sample of chroma stands for more than a pixel.
    private func planes(for info: ImageInfo) -> (WebPPlaneLayout, PixelSize)? {
        let (size, stored) = (writtenSize(of: info), info.storedSize)
        guard stored.width >= size.width * 2, stored.height >= size.height * 2 else { return nil }
        return WebPPlaneLayout(stored).map { ($0, size) }
    }

    /// The size of the output before it is turned.
    private func writtenSize(of info: ImageInfo) -> PixelSize {
        let size = info.outputLayout.size
        return options.appliedOrientation(info.orientation).isTransposed ? size.transposed : size
    }

    /// Goes on with a frame that is held.
    func goOn(into canvas: inout PixelCanvas) throws(ImageError) -> DecoderStep<FrameInfo> {
        guard var held = held.take() else { return .end }
        let whole = input.withBytes { Self.part(held.frame.data, of: $0).count }
        var outcome = FeedOutcome.needsMoreBytes
        repeat {
            outcome = try feed(held.handle, held.frame, from: &held.position, piece: held.piece(of: whole))
            held.passRows(into: &canvas)
            guard case .needsMoreBytes = outcome else { break }
        } while held.position < whole
        if case .needsMoreBytes = outcome, !input.isComplete {
            self.held = consume held
            return .needsMoreBytes
        }
        let frame = held.frame
        let damage = try damage(after: outcome, rows: held.rowCount, of: held.size.height)
        return .done(
            FrameInfo(index: 0, duration: frame.duration, alpha: held.finish(into: &canvas), damage: damage)
        )
    }

    /// Gives the library all of the frame's bytes that have come, in pieces between which cancellation is looked at.
    func feed(_ handle: WebPHandle, _ frame: WebPContainer.Frame) throws(ImageError) -> FeedOutcome {
        let whole = input.withBytes { Self.part(frame.data, of: $0).count }
        var position = 0
        repeat {
            let piece = HeldFrame.piece(of: whole)
            let outcome = try feed(handle, frame, from: &position, piece: piece)
            guard case .needsMoreBytes = outcome else { return outcome }
        } while position < whole
        return .needsMoreBytes
    }

    /// Gives the library the next piece of a frame.
    ///
    /// - Parameter position: how many bytes of the frame the library has had.
    private func feed(
        _ handle: WebPHandle,
        _ frame: WebPContainer.Frame,
        from position: inout Int,
        piece: Int
    ) throws(ImageError) -> FeedOutcome {
        try options.checkpoint()
        do throws(ImageError) {
            let step = try input.withBytes { bytes throws(ImageError) in
                let part = Self.part(frame.data, of: bytes)
                position = min(position + piece, part.count)
                return try handle.update(UnsafeRawBufferPointer(rebasing: part[..<position]))
            }
            if case .done = step { return .done }
            return .needsMoreBytes
        } catch {
            return .failed(error)
        }
    }

    static func part(_ range: Range<Int>, of bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[range.clamped(to: 0..<bytes.count)])
    }

    /// Why the picture is only partly there, if it is.
    ///
    /// - Throws: the same where there is nothing to show, and whatever is not the file's fault.
    private func damage(after outcome: FeedOutcome, rows: Int, of height: Int) throws(ImageError) -> ImageError? {
        let damage: ImageError
        switch outcome {
        case .done: return nil
        case .needsMoreBytes: damage = .webpTruncated("after \(rows) of \(height) rows")
        case .failed(let error): damage = error
        }
        guard rows > 0, damage.code == .truncatedImage || damage.code == .corruptImage else { throw damage }
        return damage
    }
}
