internal import Kuva

extension PixelSize {
    /// A size as the command line writes it, such as `300x200`; `nil` for anything else, and for empty sizes.
    init?(commandLine text: String) {
        let parts = text.split(separator: "x", omittingEmptySubsequences: false)
        guard parts.count == 2, let width = Self.side(parts[0]), let height = Self.side(parts[1]) else { return nil }
        self.init(width: width, height: height)
    }

    /// Digits only: `Int.init` would also take a sign.
    private static func side(_ text: Substring) -> Int? {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return Int(text).flatMap { (1...65_535).contains($0) ? $0 : nil }
    }
}
