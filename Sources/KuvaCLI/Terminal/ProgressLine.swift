internal import Kuva

/// One download on one line: its name, a bar, and how much has come.
struct ProgressLine {
    /// What bars are made of.
    enum Style {
        case unicode
        case ascii

        /// By the locale's character set, as the C library decides: `LC_ALL`, `LC_CTYPE`, `LANG`, the first that is set.
        init(environment: (String) -> String?) {
            let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(environment).first { !$0.isEmpty } ?? ""
            let name = locale.lowercased()
            self = name.hasSuffix("utf-8") || name.hasSuffix("utf8") ? .unicode : .ascii
        }
    }

    let name: String
    let progress: LoadProgress?

    /// The line in exactly `width` columns, or cut off on a terminal too narrow for it.
    func text(width: Int, style: Style) -> String {
        let amount = amount
        let fixed = Self.percentWidth + Self.amountWidth + 6
        let nameWidth = min(max(12, width / 3), max(1, width - fixed - 10))
        let barWidth = width - nameWidth - fixed
        let name = DisplayWidth.fit(name.withoutControls, nameWidth)
        guard barWidth >= 4 else { return String(DisplayWidth.fit("\(name)  \(amount)", max(1, width))) }
        let bar =
            switch fraction {
            case .some(let fraction): Self.bar(fraction, barWidth, style)
            case .none: Self.wave(progress?.receivedByteCount ?? 0, barWidth)
            }
        let percent = fraction.map { "\(Int($0 * 100))%" } ?? ""
        return "\(name) [\(bar)] \(Self.right(percent, Self.percentWidth)) \(Self.right(amount, Self.amountWidth)) "
    }

    private static let percentWidth = 4
    private static let amountWidth = 17

    /// 0 until the first byte has come: then it is known whether the length is.
    private var fraction: Double? {
        guard let progress else { return 0 }
        return progress.fraction
    }

    private var amount: String {
        guard let progress else { return "waiting" }
        let received = ByteText.short(progress.receivedByteCount)
        guard let expected = progress.expectedByteCount else { return "\(received) of ?" }
        return "\(received) of \(ByteText.short(expected))"
    }

    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    /// Eighths of a column where the character set has them.
    private static func bar(_ fraction: Double, _ width: Int, _ style: Style) -> String {
        switch style {
        case .ascii:
            let filled = Int(fraction * Double(width))
            return String(repeating: "#", count: filled) + String(repeating: " ", count: width - filled)
        case .unicode:
            let eighths = Int(fraction * Double(width * 8))
            let (filled, rest) = eighths.quotientAndRemainder(dividingBy: 8)
            let partial = rest == 0 ? "" : String(["▏", "▎", "▍", "▌", "▋", "▊", "▉"][rest - 1])
            let empty = width - filled - (rest == 0 ? 0 : 1)
            return String(repeating: "█", count: filled) + partial + String(repeating: " ", count: empty)
        }
    }

    /// For an unknown length: a mark that goes to and fro as bytes come, a column for each 32 KiB.
    private static func wave(_ received: Int64, _ width: Int) -> String {
        let span = width - 3
        let step = Int(max(0, received) / (32 << 10) % Int64(span * 2))
        let position = step <= span ? step : span * 2 - step
        return String(repeating: " ", count: position) + "<=>" + String(repeating: " ", count: span - position)
    }
}
