internal import CKuvaAVIF
internal import KuvaCore

extension AVIFFile {
    /// The size to which planes are scaled before they become RGB: that of the output before it is turned, where a
    /// picture of 8 bits without alpha is wanted at half its size or less.
    private func scaledSize(of planes: kuva_avif_planes) -> PixelSize? {
        let isTransposed = options.appliedOrientation(header.orientation).isTransposed
        let output = info.outputLayout.size
        let (size, stored) = (isTransposed ? output.transposed : output, header.size)
        guard options.scalingQuality == .standard, stored.width >= size.width * 2, stored.height >= size.height * 2
        else { return nil }
        return size
    }

    /// Scales the planes of the frame that is decoded, and makes RGB of what comes of them: less to scale and to convert.
    ///
    /// - Returns: `nil` where this is no way to go.
    func scaleInPlanes(into canvas: inout PixelCanvas) throws(ImageError) -> AlphaMode? {
        guard let planes = handle.planes, let size = scaledSize(of: planes) else { return nil }
        let scaled = try ScratchMemory(byteCount: 3 * size.width * size.height)
        try scale(planes, to: size, scaled)
        var writer = try FrameWriter(
            storedSize: size,
            rowAlpha: .opaque,
            orientation: options.appliedOrientation(header.orientation),
            output: info.outputLayout,
            converter: colour.converter
        )
        if writer.isDirect {
            try writer.writeDirectly(into: &canvas) { rows, bytesPerRow throws(ImageError) in
                try handle.convert(planes: scaled, of: size, into: rows.baseAddress!, bytesPerRow: bytesPerRow)
                return size.height
            }
        } else {
            let rows = RowBuffer(width: size.width, rowCount: size.height)
            try handle.convert(planes: scaled, of: size, into: rows.start, bytesPerRow: rows.bytesPerRow)
            writer.write(rows.start, bytesPerRow: rows.bytesPerRow, count: size.height, into: &canvas)
        }
        return writer.finish(into: &canvas)
    }

    private func scale(
        _ planes: kuva_avif_planes,
        to size: PixelSize,
        _ scaled: ScratchMemory
    ) throws(ImageError) {
        let target = scaled.start.assumingMemoryBound(to: UInt8.self)
        let across = Double(header.size.width) / Double(size.width)
        let down = Double(header.size.height) / Double(size.height)
        let chroma = PixelSize(width: Int(planes.chroma_width), height: Int(planes.chroma_height))
        let sources = [
            (planes.samples.0, planes.bytes_per_row.0), (planes.samples.1, planes.bytes_per_row.1),
            (planes.samples.2, planes.bytes_per_row.2),
        ]
        for (index, (samples, bytesPerRow)) in sources.prefix(Int(planes.plane_count)).enumerated() {
            guard let samples else { return }
            let parts = index == 0 ? (1, 1) : (Double(planes.chroma_across), Double(planes.chroma_down))
            try PlaneResampler.resample(
                samples,
                bytesPerRow: bytesPerRow,
                from: index == 0 ? header.size : chroma,
                to: size,
                step: (across / parts.0, down / parts.1),
                into: target + index * size.width * size.height,
                checkpoint: options.checkpoint
            )
        }
    }
}
