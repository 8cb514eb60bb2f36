internal import CKuvaPixels

/// A linear change of the four premultiplied numbers of a pixel: a row of weights for each number of the result, and an
/// offset, with 1 for full.
struct ColorMatrix: Equatable {
    var weights: [[Double]]
    var offsets: [Double] = [0, 0, 0, 0]

    /// Colour times a 3 × 3 matrix plus `offset`, which alpha scales because colours are premultiplied. Alpha stays.
    init(colors: [[Double]], offset: Double = 0) {
        weights = colors.map { $0 + [offset] } + [[0, 0, 0, 1]]
    }

    init(weights: [[Double]], offsets: [Double]) {
        self.weights = weights
        self.offsets = offsets
    }

    /// Every colour times `factor` plus `offset`.
    init(factor: Double, offset: Double = 0) {
        self.init(colors: [[factor, 0, 0], [0, factor, 0], [0, 0, factor]], offset: offset)
    }

    func apply(to image: Image, pool: PixelBufferPool) throws(ImageError) -> Image {
        let one = Double(1 << KUVA_PIXELS_MATRIX_BITS)
        let matrix = weights.joined().map { Int16(clamping: Int(($0 * one).rounded())) }
        let offsets = self.offsets.map { Int32(clamping: Int(($0 * one * 255).rounded())) }
        return try image.redrawn(image.pixelSize, pool: pool) { source, target in
            target.mapPixels(of: source) { out, input, count in
                kuva_pixels_matrix(target.level, out, input, count, matrix, offsets)
            }
        }
    }
}
