#if PDF
    internal import FoundationEssentials
    internal import KuvaCore

    /// Draws the first page of a PDF (ISO 32000-1) through poppler's programs, on white paper, at the size wanted: a target
    /// may be larger than the page, which has no pixels to be stretched. Without one, a point becomes a pixel.
    ///
    /// `pdfinfo` says how large the page is, its crop box and its rotation; `pdftocairo` draws it and answers with a PNG.
    /// Nobody is asked for a password.
    final class PDFFile: PictureFile {
        let info: ImageInfo
        private let options: DecodeOptions

        private init(pageSize: PixelSize, _ options: DecodeOptions) throws(ImageError) {
            var options = options
            options.targetSize?.allowsUpscaling = true
            let layout = try options.outputLayout(storedSize: pageSize, rowAlpha: .opaque)
            self.options = options
            info = ImageInfo(
                format: .pdf,
                storedSize: pageSize,
                hasAlpha: false,
                pixelDescription: "vector",
                outputLayout: layout
            )
        }

        static func open(
            _ input: InputBytes,
            format: ImageFormat,
            options: DecodeOptions
        ) throws(ImageError) -> PDFFile? {
            guard input.isComplete else { return nil }
            var answer: [UInt8] = []
            let command = ["pdfinfo", "-f", "1", "-l", "1", "-"]
            try PDFProgram.run(command, on: input, options, maximumAnswer: 1 << 20) { answer += $0 }
            guard let size = pageSize(in: String(decoding: answer, as: UTF8.self)) else {
                throw .corrupt("the PDF", "its first page has no size")
            }
            return try PDFFile(pageSize: size, options)
        }

        /// The size of the first page as it is shown, from lines such as `Page    1 size:  612 x 792 pts (letter)` and
        /// `Page    1 rot:   90`.
        static func pageSize(in answer: String) -> PixelSize? {
            var size: PixelSize?
            var isTransposed = false
            for line in answer.split(separator: "\n") {
                let words = line.split(separator: " ")
                guard words.count >= 4, words[0] == "Page", words[1] == "1" else { continue }
                if words[2] == "rot:" { isTransposed = words[3] == "90" || words[3] == "270" }
                guard words[2] == "size:", words.count >= 6, let width = pixels(words[3]), let height = pixels(words[5])
                else { continue }
                size = PixelSize(width: width, height: height)
            }
            return isTransposed ? size?.transposed : size
        }

        private static func pixels(_ points: Substring) -> Int? {
            guard let points = Double(points), points > 0, points < 1e6 else { return nil }
            return max(1, Int(points.rounded()))
        }

        func decode(_ input: InputBytes, into canvas: inout PixelCanvas) throws(ImageError) -> FrameInfo? {
            let size = info.outputLayout.size
            var pngOptions = options
            pngOptions.targetSize = nil
            pngOptions.maximumFrameBytes = nil
            let png = PNGDecoder(format: .png, options: pngOptions)
            let command = [
                "pdftocairo", "-png", "-singlefile", "-f", "1", "-l", "1", "-cropbox", "-scale-to-x", "\(size.width)",
                "-scale-to-y", "\(size.height)", "-", "-",
            ]
            // Rows that cannot be compressed, and the file around them.
            let maximum = info.outputLayout.byteCount + info.outputLayout.byteCount / 64 + (64 << 10)
            var frame: FrameInfo?
            try PDFProgram.run(command, on: input, options, maximumAnswer: maximum) { bytes throws(ImageError) in
                png.append(Data(bytes), isLast: false)
                if frame == nil { frame = try Self.goOn(png, size, into: &canvas) }
            }
            png.append(Data(), isLast: true)
            if frame == nil { frame = try Self.goOn(png, size, into: &canvas) }
            guard let frame else { throw .truncated("the PDF", "before its first page is drawn") }
            return frame
        }

        private static func goOn(
            _ png: PNGDecoder,
            _ size: PixelSize,
            into canvas: inout PixelCanvas
        ) throws(ImageError) -> FrameInfo? {
            guard case .done(let info) = try png.readInfo() else { return nil }
            guard info.outputLayout.size == size else {
                throw .corrupt("the PDF", "its page was drawn as \(info.outputLayout.size) pixels, not \(size)")
            }
            guard case .done(let frame) = try png.decodeFrame(into: &canvas) else { return nil }
            return frame
        }
    }
#endif
