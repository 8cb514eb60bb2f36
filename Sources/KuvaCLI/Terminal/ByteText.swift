/// Numbers of bytes as people read them.
enum ByteText {
    /// Reads a number of bytes with an optional decimal unit, such as `100MB`, `2G` or `4096`; `nil` for anything else.
    static func count(_ text: String) -> Int? {
        let digits = text.prefix { $0.isNumber }
        guard let number = Int(digits) else { return nil }
        var unit = text.dropFirst(digits.count).uppercased()
        if unit.hasPrefix(" ") { unit.removeFirst() }
        if unit.hasSuffix("B") { unit.removeLast() }
        let factors = ["": 1, "K": 1000, "M": 1_000_000, "G": 1_000_000_000, "T": 1_000_000_000_000]
        guard let factor = factors[unit] else { return nil }
        let (count, overflow) = number.multipliedReportingOverflow(by: factor)
        return overflow ? nil : count
    }

    /// Decimal units, three digits at most: `914 KB`, `1.2 MB`; bytes below 1000.
    static func short(_ count: Int64) -> String {
        guard count >= 1000 else { return "\(max(0, count)) B" }
        var value = Double(count) / 1000
        var unit = 0
        let units = ["KB", "MB", "GB", "TB", "PB", "EB"]
        // 999.5 KB would be written as 1000 KB.
        while value >= 999.5, unit + 1 < units.count {
            value /= 1000
            unit += 1
        }
        if value >= 9.95 { return "\(Int(value.rounded())) \(units[unit])" }
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }
}
