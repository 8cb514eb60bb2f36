#if PDF
    internal import CKuvaPDF
    internal import FoundationEssentials
    internal import Glibc
    internal import KuvaCore

    /// One of poppler's programs, run on a file that it gets on its standard input.
    ///
    /// It is in a process of its own because its licence is the GPL, and because a PDF is a program for a large machine: what
    /// goes wrong there stays there. It may take ``memoryLimit`` of address space and as much CPU time as the limits give a
    /// frame, writes no file, and is killed where its caller has stopped waiting.
    enum PDFProgram {
        private static let memoryLimit: UInt64 = 2 << 30

        /// Runs a program to its end.
        ///
        /// - Parameters:
        ///   - maximumAnswer: how many bytes it may answer.
        ///   - receive: gets them piece by piece.
        /// - Throws: ``ImageError``: what `receive` throws, `unsupported-format` where the program is not installed,
        ///   `corrupt-image`, `limit-exceeded`, `cancelled`.
        static func run(
            _ arguments: [String],
            on file: InputBytes,
            _ options: DecodeOptions,
            maximumAnswer: Int,
            receive: (UnsafeRawBufferPointer) throws(ImageError) -> Void
        ) throws(ImageError) {
            let program = try start(arguments, options)
            let result = Result { () throws(ImageError) in
                try file.withBytes { bytes throws(ImageError) in
                    try exchange(program, bytes, options, maximumAnswer: maximumAnswer, receive: receive)
                }
            }
            let outcome = kuva_pdf_end(program)
            try result.get()
            switch outcome {
            case KUVA_PDF_WENT_WELL: return
            case KUVA_PDF_WENT_WRONG: throw .corrupt("the PDF", "\(arguments[0]) cannot read it, or it is encrypted")
            default: throw DecodeLimits.exceeded("drawing a PDF takes too much time or memory", "maximumDuration")
            }
        }

        private static func start(
            _ arguments: [String],
            _ options: DecodeOptions
        ) throws(ImageError) -> OpaquePointer {
            var list: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
            defer { for argument in list { free(argument) } }
            let seconds = UInt64(clamping: options.limits.maximumDuration.components.seconds)
            let limits = kuva_pdf_limits(cpu_seconds: max(1, seconds), memory_bytes: memoryLimit)
            var error: Int32 = 0
            guard let program = kuva_pdf_start(&list, limits, &error) else {
                throw ImageError(
                    .unsupportedFormat,
                    "\(arguments[0]) cannot be started: \(String(cString: strerror(error)))",
                    advice: "install poppler's programs: apt install poppler-utils"
                )
            }
            return program
        }

        private static func exchange(
            _ program: OpaquePointer,
            _ file: UnsafeRawBufferPointer,
            _ options: DecodeOptions,
            maximumAnswer: Int,
            receive: (UnsafeRawBufferPointer) throws(ImageError) -> Void
        ) throws(ImageError) {
            let piece = RowBuffer(width: 16 << 10, rowCount: 1)
            let (time, start) = (options.timeSource, options.timeSource.monotonic)
            var count = 0
            while true {
                try options.checkpoint()
                guard time.monotonic - start <= options.limits.maximumDuration else {
                    throw DecodeLimits.exceeded(
                        "drawing a PDF takes longer than \(options.limits.maximumDuration)",
                        "maximumDuration"
                    )
                }
                let got = kuva_pdf_exchange(
                    program,
                    file.baseAddress?.assumingMemoryBound(to: UInt8.self),
                    file.count,
                    piece.start.assumingMemoryBound(to: UInt8.self),
                    piece.bytesPerRow,
                    50
                )
                if got == KUVA_PDF_WAITING { continue }
                if got == KUVA_PDF_ENDED { return }
                count += max(0, Int(got))
                guard got > 0, count <= maximumAnswer else {
                    throw .corrupt("the PDF", "what the program that draws it says makes no sense")
                }
                try receive(UnsafeRawBufferPointer(start: piece.start, count: Int(got)))
            }
        }
    }
#endif
