#if SVG
    internal import FoundationEssentials
    internal import KuvaCore

    /// Draws SVG through librsvg at the size wanted, so that it is crisp at each; a target may be larger than the document,
    /// which has no pixels to be stretched.
    ///
    /// Nothing outside the document is loaded and no script runs. Without a size of its own, a document has that of its view
    /// box, and without that 300 by 150, as CSS 2.1 §10.3.2 gives a replaced element.
    final class SVGFile: PictureFile {
        let info: ImageInfo
        private let document: SVGDocument
        private let width: Double
        private let height: Double

        private static let defaultSize = (width: 300.0, height: 150.0)
        /// Cairo keeps sides in 16 bits.
        private static let maximumSide = 32_767

        private init(_ document: consuming SVGDocument, _ options: DecodeOptions) throws(ImageError) {
            var (width, height) = document.size
            if !(width.isFinite && height.isFinite && width > 0 && height > 0) { (width, height) = Self.defaultSize }
            let size = PixelSize(width: Self.pixels(width), height: Self.pixels(height))
            var options = options
            options.targetSize?.allowsUpscaling = true
            let layout = try options.outputLayout(storedSize: size, rowAlpha: .premultiplied)
            let output = layout.size
            let most = min(Self.maximumSide, options.limits.maximumSide)
            guard output.width <= most, output.height <= most else {
                throw DecodeLimits.exceeded(
                    "an SVG of \(output) pixels is longer than \(most) on a side",
                    "maximumSide",
                    orElse: "ask for a smaller target size or "
                )
            }
            self.document = document
            (self.width, self.height) = (width, height)
            info = ImageInfo(
                format: .svg,
                storedSize: size,
                hasAlpha: true,
                pixelDescription: "vector",
                outputLayout: layout
            )
        }

        /// The nearest whole number of pixels, at least one.
        private static func pixels(_ length: Double) -> Int { max(1, Int(min(length, 1e9).rounded())) }

        static func open(
            _ input: InputBytes,
            format: ImageFormat,
            options: DecodeOptions
        ) throws(ImageError) -> SVGFile? {
            guard input.isComplete else { return nil }
            let expanded = input.withBytes { XMLEntities.expandedByteCount(in: $0) }
            guard let expanded, expanded <= options.limits.maximumMetadataBytes else {
                throw DecodeLimits.exceeded(
                    "the entities of the SVG grow beyond \(options.limits.maximumMetadataBytes) bytes",
                    "maximumMetadataBytes"
                )
            }
            return try SVGFile(SVGDocument(input), options)
        }

        func decode(_ input: InputBytes, into canvas: inout PixelCanvas) throws(ImageError) -> FrameInfo? {
            let size = info.outputLayout.size
            var writer = try FrameWriter(storedSize: size, rowAlpha: .premultiplied, output: info.outputLayout)
            try writer.writeDirectly(into: &canvas) { rows, _ throws(ImageError) in
                try document.render(width: width, height: height, into: rows, size)
                return size.height
            }
            return FrameInfo(index: 0, alpha: writer.finish(into: &canvas))
        }
    }
#endif
