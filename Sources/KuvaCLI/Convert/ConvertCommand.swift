internal import FoundationEssentials
internal import Kuva

/// `kuva convert`: reads a picture and writes it as another file.
struct ConvertCommand: Command {
    static let size = OptionSyntax("size", value: "WxH", help: "Scale down to fit W×H pixels.")
    static let quality = OptionSyntax(
        "quality",
        letter: "q",
        value: "0-100",
        help: "Of JPEG, and of lossy AVIF, JPEG XL and WebP; 85 if not given."
    )
    static let maximumBytes = OptionSyntax(
        "max-bytes",
        value: "N",
        help: "Lower the quality, then the size, until the file has N bytes."
    )
    static let lossless = OptionSyntax("lossless", help: "Keep every pixel of an AVIF, JPEG XL or WebP.")
    static let frame = OptionSyntax("frame", value: "N", help: "Write one frame of an animation; 0 is the first.")
    static let force = OptionSyntax("force", letter: "f", help: "Replace a file that is there.")

    static let syntax = CommandSyntax(
        name: "convert",
        summary: "Write a picture as another file.",
        operands: "FILE NEW-FILE",
        details: [
            """
            The extension of the new file says its format: \
            \(EncoderRegistry.builtIn.formats.map(\.fileExtension).joined(separator: ", ")). It is
            upright, and its colours are sRGB.
            """,
            """
            An animation stays one, with its times and laps, as gif, png (APNG) or webp; in other
            formats its first frame is written.
            """,
        ],
        options: [size, quality, maximumBytes, lossless, frame, force]
    )

    private let source: String
    private let target: String
    private let format: ImageFormat
    private let size: PixelSize?
    private let quality: Double
    private let maximumBytes: Int?
    private let isLossless: Bool
    private let frame: Int?
    private let replaces: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        guard arguments.operands.count == 2 else {
            throw UsageError("convert needs a file and the name of a new one", command: "convert")
        }
        (source, target) = (arguments.operands[0], arguments.operands[1])
        guard let format = Self.format(ofName: target) else {
            throw UsageError(
                "convert cannot tell a format that it writes from the name “\(target)”",
                command: "convert"
            )
        }
        self.format = format
        func number(_ option: OptionSyntax, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
            guard let text = arguments.value(of: option) else { return nil }
            guard let value = Int(text), range.contains(value) else {
                throw UsageError("--\(option.name) is a number, not “\(text)”", command: "convert")
            }
            return value
        }
        quality = Double(try number(Self.quality, in: 0...100) ?? 85) / 100
        frame = try number(Self.frame, in: 0...Int.max)
        maximumBytes = try number(Self.maximumBytes, in: 1...Int.max)
        size = try arguments.value(of: Self.size).map { text throws(UsageError) in
            guard let size = PixelSize(commandLine: text) else {
                throw UsageError("--size is written as 300x200, not “\(text)”", command: "convert")
            }
            return size
        }
        isLossless = arguments.has(Self.lossless)
        replaces = arguments.has(Self.force)
    }

    func run(_ context: CommandContext) async -> ExitStatus {
        let result = await context.files.run {
            Result { () throws(ImageError) in try convert(context) }
        }
        switch result {
        case .success(let line):
            context.console.print(line)
            return .succeeded
        case .failure(let error):
            context.console.complain(Console.line(error, about: source))
            return .failed
        }
    }

    /// - Returns: the line that says what was written.
    private func convert(_ context: CommandContext) throws(ImageError) -> String {
        let options = DecodeOptions(targetSize: size.map { TargetSize($0) })
        let file = try FileHead(path: source).contents()
        var encoding = EncodeOptions()
        encoding.isLossless = isLossless
        let animation = try AnimationConversion(file, by: context.decoders, options: options)
        // The name of a PNG with frames ends as that of one without.
        let animatedFormat: ImageFormat = format == .png ? .apng : format
        if frame == nil, let animation, let encoder = EncoderRegistry.builtIn[animated: animatedFormat] {
            guard maximumBytes == nil else {
                throw ImageError(
                    .invalidConfiguration,
                    "--max-bytes is for still pictures",
                    advice: "choose a frame with --frame, or --size and --quality"
                )
            }
            encoding.quality = quality
            let data = try animation.file(by: encoder, options: encoding)
            try OutputFolder.save(data, at: target, replaces: replaces)
            return "\(target): \(animatedFormat), \(animation.frameCount) frames, \(data.count) bytes"
        }
        let image = try image(of: file, animation, context, options)
        let data = try image.data(as: format, quality: quality, maxFileSize: maximumBytes, options: encoding)
        try OutputFolder.save(data, at: target, replaces: replaces)
        return "\(target): \(format), \(data.count) bytes"
    }

    private func image(
        of file: Data,
        _ animation: AnimationConversion?,
        _ context: CommandContext,
        _ options: DecodeOptions
    ) throws(ImageError) -> Image {
        if let frame, let animation { return try animation.image(at: frame) }
        if let frame, frame > 0 { throw AnimationConversion.noFrame(frame, among: 1) }
        let decoded = try context.decoders.decode(file, options: options)
        if let damage = decoded.damage { throw damage.locating(stage: .decode) }
        return decoded.image
    }

    private static func format(ofName name: String) -> ImageFormat? {
        guard let dot = name.lastIndex(of: ".") else { return nil }
        let found = name[name.index(after: dot)...].lowercased()
        let usual = ["jpeg": "jpg", "jpe": "jpg", "jfif": "jpg", "apng": "png"][found] ?? found
        return EncoderRegistry.builtIn.formats.first { $0.fileExtension == usual }
    }
}
