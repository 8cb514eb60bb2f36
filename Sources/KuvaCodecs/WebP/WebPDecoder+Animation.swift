internal import KuvaCore

extension WebPDecoder {
    /// Draws one frame of an animation on the frames before it. All of its bytes that will come must be there.
    ///
    /// - Returns: how many of its rows there are, and why not all.
    func draw(
        _ frame: WebPContainer.Frame,
        on canvas: inout AnimationCanvas
    ) throws(ImageError) -> (rows: Int, damage: ImageError?) {
        try canvas.begin(frame.rect, disposal: frame.disposal)
        let features: WebPHandle.Features
        do throws(ImageError) {
            let step = try input.withBytes { bytes throws(ImageError) in
                try WebPHandle.features(of: Self.part(frame.data, of: bytes))
            }
            guard case .done(let found) = step else { return (0, .webpTruncated("before the picture of a frame")) }
            features = found
        } catch {
            guard error.code == .corruptImage else { throw error }
            return (0, error)
        }
        guard features.size == frame.size, !features.isAnimated else {
            return (0, .webpCorrupt("a frame is \(features.size) pixels where \(frame.size) are announced"))
        }
        let result =
            features.hasAlpha && frame.blend == .over
            ? try drawOver(frame, on: &canvas) : try drawInPlace(frame, hasAlpha: features.hasAlpha, on: &canvas)
        if result.damage == nil, !features.hasAlpha, frame.size == canvas.size { canvas.markOpaque() }
        return result
    }

    /// What shows nothing of the frames before goes to the screen itself.
    private func drawInPlace(
        _ frame: WebPContainer.Frame,
        hasAlpha: Bool,
        on canvas: inout AnimationCanvas
    ) throws(ImageError) -> (rows: Int, damage: ImageError?) {
        let stride = canvas.size.width * 4
        let byteCount = (frame.size.height - 1) * stride + frame.size.width * 4
        let result = canvas.withRows { screen in
            Result { () throws(ImageError) in
                let start = screen + frame.y * stride + frame.x * 4
                let target = UnsafeMutableRawBufferPointer(start: start, count: byteCount)
                return try decode(frame, into: target, bytesPerRow: stride)
            }
        }
        let (rows, damage) = try result.get()
        if hasAlpha { canvas.settle(frame.rect, rows: rows) }
        return (rows, damage)
    }

    private func drawOver(
        _ frame: WebPContainer.Frame,
        on canvas: inout AnimationCanvas
    ) throws(ImageError) -> (rows: Int, damage: ImageError?) {
        let layout = try PixelLayout(size: frame.size, alpha: .straight)
        var pixels = try PixelBufferPool.shared.canvas(layout)
        let (rows, damage) = try pixels.withUnsafeMutableBytes { bytes throws(ImageError) in
            try decode(frame, into: bytes, bytesPerRow: layout.bytesPerRow)
        }
        pixels.withUnsafeBytes { bytes in
            for y in 0..<rows {
                let row = bytes.baseAddress! + y * layout.bytesPerRow
                canvas.draw(row, count: frame.size.width, x: frame.x, y: frame.y + y, blend: .over)
            }
        }
        return (rows, damage)
    }

    private func decode(
        _ frame: WebPContainer.Frame,
        into target: UnsafeMutableRawBufferPointer,
        bytesPerRow: Int
    ) throws(ImageError) -> (rows: Int, damage: ImageError?) {
        let handle = try WebPHandle(pixels: target, bytesPerRow: bytesPerRow)
        switch try feed(handle, frame) {
        case .done: return (frame.size.height, nil)
        case .needsMoreBytes: return (handle.rowCount, .webpTruncated("inside a frame"))
        case .failed(let error):
            guard error.code == .corruptImage else { throw error }
            return (handle.rowCount, error)
        }
    }
}
