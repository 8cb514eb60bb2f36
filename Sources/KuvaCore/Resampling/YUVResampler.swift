internal import CKuvaPixels

/// Scales a picture that is still in planes of luma and chroma, and only then makes RGBA of it: less to scale, and no
/// full-sized RGB in between.
///
/// The planes are those of VP8 (RFC 6386, §9.2 and §15): one byte a sample, half as many samples of chroma each way
/// rounded up, each in the middle between four of luma, in the video range of ITU-R BT.601. One thread at a time.
package struct YUVResampler: ~Copyable {
    /// Planes as they lie in memory.
    package struct Planes {
        let luma: UnsafePointer<UInt8>
        let lumaBytesPerRow: Int
        let u: UnsafePointer<UInt8>
        let v: UnsafePointer<UInt8>
        let chromaBytesPerRow: Int

        /// - Parameters: the first sample of each plane, and the distances of rows.
        package init(
            luma: UnsafePointer<UInt8>,
            lumaBytesPerRow: Int,
            u: UnsafePointer<UInt8>,
            v: UnsafePointer<UInt8>,
            chromaBytesPerRow: Int
        ) {
            self.luma = luma
            self.lumaBytesPerRow = lumaBytesPerRow
            self.u = u
            self.v = v
            self.chromaBytesPerRow = chromaBytesPerRow
        }
    }

    /// The size of the result.
    package let output: PixelSize
    /// Rows made so far.
    package private(set) var rowCount = 0

    private let sourceHeight: Int
    private let level: Int32
    private var luma: PlaneResampler
    private var u: PlaneResampler
    private var v: PlaneResampler
    /// A row of each plane in the width of the output.
    private let samples: ScratchMemory

    /// - Parameter source: the size of the plane of luma.
    /// - Throws: ``ImageError`` with the code `out-of-memory`.
    package init(from source: PixelSize, to output: PixelSize) throws(ImageError) {
        let half = PixelSize(width: (source.width + 1) / 2, height: (source.height + 1) / 2)
        let across = Double(source.width) / Double(output.width)
        let down = Double(source.height) / Double(output.height)
        let luma = try PlaneResampler(from: source, to: output, step: (across, down))
        let u = try PlaneResampler(from: half, to: output, step: (across / 2, down / 2))
        let v = try PlaneResampler(from: half, to: output, step: (across / 2, down / 2))
        let samples = try ScratchMemory(rows: 3, rowBytes: output.width * MemoryLayout<Int16>.size)
        self.luma = luma
        self.u = u
        self.v = v
        self.samples = samples
        self.output = output
        level = kuva_pixels_best_level()
        sourceHeight = source.height
    }

    /// Makes the next row, if all that it needs has come.
    ///
    /// - Parameters:
    ///   - lumaRowCount: how many rows of luma there are from the top, with the chroma of every pair.
    ///   - row: room for `output.width` pixels, which are opaque.
    /// - Returns: whether it was made.
    package mutating func makeRow(
        from planes: Planes,
        lumaRowCount: Int,
        into row: UnsafeMutableRawPointer
    ) -> Bool {
        let chromaRowCount = lumaRowCount == sourceHeight ? (lumaRowCount + 1) / 2 : lumaRowCount / 2
        guard rowCount < output.height, luma.neededRowCount(for: rowCount) <= lumaRowCount,
            u.neededRowCount(for: rowCount) <= chromaRowCount
        else { return false }
        let first = samples.address.assumingMemoryBound(to: Int16.self)
        let (second, third) = (first + output.width, first + 2 * output.width)
        luma.resample(rowCount, of: planes.luma, bytesPerRow: planes.lumaBytesPerRow, into: first)
        u.resample(rowCount, of: planes.u, bytesPerRow: planes.chromaBytesPerRow, into: second)
        v.resample(rowCount, of: planes.v, bytesPerRow: planes.chromaBytesPerRow, into: third)
        kuva_pixels_yuv_to_rgba(level, row.assumingMemoryBound(to: UInt8.self), first, second, third, output.width)
        rowCount += 1
        return true
    }
}
