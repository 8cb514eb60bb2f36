internal import CKuvaPixels

/// Scales one plane of bytes, row by row: a vertical pass over the rows under the filter, which all lie in memory, and a
/// horizontal one over what that gives.
///
/// A plane that is to become a quarter as wide and high, or less, is first halved by the mean of four samples, which costs
/// a tenth of the passes and leaves a quarter for them. What the mean dampens lies beyond what the output can show.
package struct PlaneResampler: ~Copyable {
    /// Samples of the plane.
    private let source: PixelSize
    private let output: PixelSize
    private let level: Int32
    private let horizontal: ResamplingFilter
    private let vertical: ResamplingFilter
    /// Whether the passes are over the halved plane.
    private let isHalved: Bool
    private let halved: ScratchMemory
    private let halvedBytesPerRow: Int
    private var halvedRowCount = 0
    /// One row between the passes, followed by zeros for windows that reach past its end.
    private let wideRow: ScratchMemory

    /// - Parameters:
    ///   - source: the size of the plane.
    ///   - step: how many samples of the plane one sample of the output stands for, across and down. The first samples of
    ///     both begin at the same place.
    /// - Throws: ``ImageError`` with the code `out-of-memory`.
    package init(
        from source: PixelSize,
        to output: PixelSize,
        step: (across: Double, down: Double)
    ) throws(ImageError) {
        isHalved = min(step.across, step.down) >= 4
        let factor = isHalved ? 2 : 1
        func filter(
            _ pass: ResamplingFilter.Recipe.Pass,
            _ source: Int,
            _ output: Int,
            _ step: Double
        ) -> ResamplingFilter {
            let (count, step) = ((source + factor - 1) / factor, step / Double(factor))
            return ResamplingFilterCache.shared.filter(
                for: .init(kernel: .lanczos, pass: pass, sourceCount: count, outputCount: output, step: step)
            )
        }
        let horizontal = filter(.planeHorizontal, source.width, output.width, step.across)
        let vertical = filter(.planeVertical, source.height, output.height, step.down)
        // An odd number of cache lines: rows a power of two apart would push each other out of the cache.
        let halvedBytesPerRow = ((source.width + 1) / 2 + 63) / 64 * 64 | 64
        let halved = try ScratchMemory(rows: isHalved ? (source.height + 1) / 2 : 0, rowBytes: halvedBytesPerRow)
        let wideRow = try ScratchMemory(rows: source.width + horizontal.tapCount, rowBytes: MemoryLayout<Int16>.size)
        self.halved = halved
        self.halvedBytesPerRow = halvedBytesPerRow
        self.wideRow = wideRow
        self.horizontal = horizontal
        self.vertical = vertical
        self.source = source
        self.output = output
        level = kuva_pixels_best_level()
    }

    /// How many rows of the plane must be there for a row of the output.
    func neededRowCount(for row: Int) -> Int {
        min((Int(vertical.starts[row]) + vertical.tapCount) * (isHalved ? 2 : 1), source.height)
    }

    /// Makes a row of the output, in fixed point of 6 fraction bits.
    ///
    /// - Parameter plane: its first row; ``neededRowCount(for:)`` rows are there.
    mutating func resample(
        _ row: Int,
        of plane: UnsafePointer<UInt8>,
        bytesPerRow: Int,
        into target: UnsafeMutablePointer<Int16>
    ) {
        guard isHalved else {
            pass(row, of: plane, bytesPerRow: bytesPerRow, source, into: target)
            return
        }
        let rows = halved.address.assumingMemoryBound(to: UInt8.self)
        while halvedRowCount * 2 < neededRowCount(for: row) {
            let upper = plane + halvedRowCount * 2 * bytesPerRow
            let lower = halvedRowCount * 2 + 1 < source.height ? upper + bytesPerRow : upper
            kuva_pixels_plane_halve(level, rows + halvedRowCount * halvedBytesPerRow, upper, lower, source.width)
            halvedRowCount += 1
        }
        let size = PixelSize(width: (source.width + 1) / 2, height: (source.height + 1) / 2)
        pass(row, of: rows, bytesPerRow: halvedBytesPerRow, size, into: target)
    }

    private func pass(
        _ row: Int,
        of plane: UnsafePointer<UInt8>,
        bytesPerRow: Int,
        _ size: PixelSize,
        into target: UnsafeMutablePointer<Int16>
    ) {
        let first = Int(vertical.starts[row])
        let wide = wideRow.address.assumingMemoryBound(to: Int16.self)
        vertical.weights.withUnsafeBufferPointer { weights in
            kuva_pixels_plane_column(
                level,
                wide,
                plane + first * bytesPerRow,
                bytesPerRow,
                size.width,
                weights.baseAddress! + row * vertical.tapCount,
                min(vertical.tapCount, size.height - first),
                vertical.bits
            )
        }
        kuva_pixels_plane_row(
            level,
            target,
            output.width,
            wide,
            horizontal.starts,
            horizontal.weights,
            horizontal.tapCount,
            horizontal.bits
        )
    }
}

extension PlaneResampler {
    /// Makes all rows of the output, of a plane whose rows are all there.
    ///
    /// - Parameters:
    ///   - target: room for all samples of the output.
    ///   - checkpoint: called now and then, so that the work can be broken off.
    package static func resample(
        _ plane: UnsafePointer<UInt8>,
        bytesPerRow: Int,
        from source: PixelSize,
        to output: PixelSize,
        step: (across: Double, down: Double),
        into target: UnsafeMutablePointer<UInt8>,
        checkpoint: () throws(ImageError) -> Void
    ) throws(ImageError) {
        var resampler = try PlaneResampler(from: source, to: output, step: step)
        let samples = try ScratchMemory(rows: 1, rowBytes: output.width * MemoryLayout<Int16>.size)
        let row = samples.address.assumingMemoryBound(to: Int16.self)
        for index in 0..<output.height {
            if index % 64 == 0 { try checkpoint() }
            resampler.resample(index, of: plane, bytesPerRow: bytesPerRow, into: row)
            kuva_pixels_plane_narrow(target + index * output.width, row, output.width)
        }
    }
}
