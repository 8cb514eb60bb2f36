internal import KuvaCore

extension PixelCanvas {
    /// - Throws: ``ImageError`` with the code `invalid-configuration` if the canvas is not of the layout's size and
    ///   format.
    borrowing func checkLayout(_ wanted: PixelLayout) throws(ImageError) {
        guard layout.size == wanted.size, layout.format == wanted.format else {
            throw ImageError(
                .invalidConfiguration,
                "the canvas is of \(layout.size) pixels where \(wanted.size) are decoded",
                advice: "make it with the layout that readInfo gave"
            )
        }
    }
}
