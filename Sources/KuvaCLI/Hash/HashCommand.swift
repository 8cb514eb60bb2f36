internal import FoundationEssentials
internal import Kuva

/// `kuva hash`: what the pixels of files are, in a number that other decoders can be held against.
struct HashCommand: Command {
    static let pixels = OptionSyntax("pixels", help: "Hash the decoded pixels; the only kind of hash there is.")
    static let limit = OptionSyntax(
        "limit",
        value: "PIXELS",
        help: "Decode frames up to so many pixels, not 64 million."
    )
    static let json = OptionSyntax("json", help: "Print one JSON object a line.")

    static let syntax = CommandSyntax(
        name: "hash",
        summary: "Print a hash of the pixels of pictures, to compare decoders.",
        operands: "--pixels FILE…",
        details: [
            """
            A line has, with tabs between: path, status, width, height, frames, SHA-256. The status
            is ok, partial for a damaged picture, or the code of the error; then the numbers are 0.
            """,
            """
            Hashed are all frames as they are shown, one after the other, as rows of RGBA with 8
            bits: straight alpha, colour 0 where alpha is 0, no profile applied, not turned, the
            high byte of 16-bit samples.
            """,
        ],
        options: [pixels, limit, json]
    )

    let paths: [String]
    let limits: DecodeLimits
    let isJSON: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        guard arguments.has(Self.pixels) else { throw UsageError("hash needs --pixels", command: "hash") }
        guard !arguments.operands.isEmpty else { throw UsageError("hash needs a file", command: "hash") }
        paths = arguments.operands
        isJSON = arguments.has(Self.json)
        var limits = DecodeLimits()
        if let text = arguments.value(of: Self.limit) {
            guard let count = Int(text), (1...(1 << 40)).contains(count) else {
                throw UsageError("--limit is a number of pixels, not “\(text)”", command: "hash")
            }
            limits.maximumOutputPixels = count
            limits.maximumSourcePixels = max(count, limits.maximumSourcePixels)
            limits.maximumTotalPixels = max(count, limits.maximumTotalPixels)
        }
        self.limits = limits
    }

    /// One after the other, in the order in which they were named.
    func run(_ context: CommandContext) async -> ExitStatus {
        var status = ExitStatus.succeeded
        for path in paths {
            let result = await context.files.run {
                Result { () throws(ImageError) in
                    try PixelHash(of: FileHead(path: path).contents(), by: context.decoders, limits: limits)
                }
            }
            let line = HashLine(path, result)
            // Tabs are part of the line; a name's own control characters are not.
            context.console.output.write((isJSON ? line.json : line.text) + "\n")
            if let error = line.error {
                context.console.complain(Console.line(error, about: path))
                status = .failed
            }
        }
        return status
    }
}

/// What is said about one file.
private struct HashLine: Encodable {
    let path: String
    let status: String
    let width: Int
    let height: Int
    let frames: Int
    let sha256: String?
    let error: ImageError?

    private enum CodingKeys: CodingKey {
        case path, status, width, height, frames, sha256
    }

    init(_ path: String, _ result: Result<PixelHash, ImageError>) {
        self.path = path
        switch result {
        case .success(let hash):
            status = hash.damage == nil ? "ok" : "partial"
            (width, height) = (hash.size.width, hash.size.height)
            (frames, sha256, error) = (hash.frameCount, hash.hex, hash.damage)
        case .failure(let failure):
            status = failure.code.description
            (width, height, frames, sha256, error) = (0, 0, 0, nil, failure)
        }
    }

    var text: String { "\(path.withoutControls)\t\(status)\t\(width)\t\(height)\t\(frames)\t\(sha256 ?? "-")" }

    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Text and whole numbers always have a JSON form.
        guard let data = try? encoder.encode(self) else { return "{}" }
        return String(decoding: data, as: UTF8.self)
    }
}
