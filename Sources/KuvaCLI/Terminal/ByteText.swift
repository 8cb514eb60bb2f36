/// Numbers of bytes as people read them.
enum ByteText {
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
