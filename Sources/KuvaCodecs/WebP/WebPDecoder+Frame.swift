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
        var writer = try FrameWriter(
            storedSize: info.storedSize,
            rowAlpha: features.hasAlpha || !isCovering ? .straight : .opaque,
            orientation: info.orientation,
            output: info.outputLayout
        )
        guard writer.isDirect, isCovering, input.isComplete else {
            held = try HeldFrame(frame, writer: writer)
            return try goOn(into: &canvas)
        }
        var outcome = FeedOutcome.needsMoreBytes
        try writer.writeDirectly(into: &canvas) { rows, bytesPerRow throws(ImageError) in
            let handle = try WebPHandle(pixels: rows, bytesPerRow: bytesPerRow)
            var position = 0
            outcome = try feed(handle, frame, from: &position)
            return handle.rowCount
        }
        let damage = try damage(after: outcome, rows: writer.rowCount, of: frame.size.height)
        return .done(
            FrameInfo(index: 0, duration: frame.duration, alpha: writer.finish(into: &canvas), damage: damage)
        )
    }

    /// Goes on with a frame that is held.
    func goOn(into canvas: inout PixelCanvas) throws(ImageError) -> DecoderStep<FrameInfo> {
        guard var held = held.take() else { return .end }
        let outcome = try feed(held.handle, held.frame, from: &held.position)
        held.passRows(into: &canvas)
        if case .needsMoreBytes = outcome, !input.isComplete {
            self.held = consume held
            return .needsMoreBytes
        }
        let frame = held.frame
        let damage = try damage(after: outcome, rows: held.rowCount, of: frame.size.height)
        return .done(
            FrameInfo(index: 0, duration: frame.duration, alpha: held.finish(into: &canvas), damage: damage)
        )
    }

    /// Gives the library the frame's bytes that have come, in pieces between which cancellation is looked at.
    ///
    /// - Parameter position: how many bytes of the frame the library has had.
    func feed(
        _ handle: WebPHandle,
        _ frame: WebPContainer.Frame,
        from position: inout Int
    ) throws(ImageError) -> FeedOutcome {
        // Smaller pieces cost lossless pictures some per cent, since libwebp goes back to its last checkpoint.
        let whole = input.withBytes { Self.part(frame.data, of: $0).count }
        let piece = max(128 << 10, whole / 16)
        repeat {
            try options.cancellation?.check()
            position = min(position + piece, whole)
            do throws(ImageError) {
                let step = try input.withBytes { bytes throws(ImageError) in
                    let part = Self.part(frame.data, of: bytes)
                    return try handle.update(UnsafeRawBufferPointer(rebasing: part[..<position]))
                }
                if case .done = step { return .done }
            } catch {
                return .failed(error)
            }
        } while position < whole
        return .needsMoreBytes
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
