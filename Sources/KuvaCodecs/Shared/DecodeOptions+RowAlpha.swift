internal import KuvaCore

extension DecodeOptions {
    /// The canvas that these options want for rows of a kind, within their limits. Colour that a file has multiplied
    /// stays so, also where stored pixels are wanted: dividing it again would invent numbers.
    func outputLayout(
        storedSize: PixelSize,
        orientation: Orientation = .up,
        rowAlpha: FrameWriter.RowAlpha,
        colorSpace: ColorSpace = .sRGB
    ) throws(ImageError) -> PixelLayout {
        var layout = try outputLayout(
            storedSize: storedSize,
            orientation: orientation,
            hasAlpha: rowAlpha != .opaque,
            colorSpace: colorSpace
        )
        if rowAlpha == .premultiplied { layout.alpha = .premultiplied }
        return layout
    }
}
