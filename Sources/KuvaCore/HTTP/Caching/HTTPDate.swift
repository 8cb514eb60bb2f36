package import FoundationEssentials

/// Dates in header fields (RFC 9110 §5.6.7): written in the one form, read in all three.
package enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

    /// The moment that a text names; `nil` if it is in none of the forms.
    ///
    /// - Parameter now: decides the century of a two-digit year, which is never more than 50 years ahead.
    package static func parse(_ text: String, now: Date = Date()) -> Date? {
        let words = text.split { $0 == " " || $0 == "," || $0 == "\t" }
        switch words.count {
        case 6 where words[5] == "GMT": return date(day: words[1], month: words[2], year: words[3], time: words[4])
        case 4 where words[3] == "GMT": return parseOld(words, now: now)
        case 5: return date(day: words[2], month: words[1], year: words[4], time: words[3])
        default: return nil
        }
    }

    /// `Sunday, 06-Nov-94 08:49:37 GMT`.
    private static func parseOld(_ words: [Substring], now: Date) -> Date? {
        let parts = words[1].split(separator: "-")
        guard parts.count == 3, parts[2].count == 2, let short = Int(parts[2]) else { return nil }
        let thisYear = civil(days: Int((now.timeIntervalSince1970 / 86_400).rounded(.down))).year
        var year = thisYear / 100 * 100 + short
        if year > thisYear + 50 { year -= 100 }
        return date(day: parts[0], month: parts[1], year: "\(year)", time: words[2])
    }

    private static func date(day: Substring, month: Substring, year: Substring, time: Substring) -> Date? {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false)
        guard let day = number(day, in: 1...31), let month = months.firstIndex(of: String(month)),
            let year = number(year, in: 0...9999), clock.count == 3, let hour = number(clock[0], in: 0...23),
            let minute = number(clock[1], in: 0...59), let second = number(clock[2], in: 0...60)
        else { return nil }
        let days = daysSince1970(year: year, month: month + 1, day: day)
        guard civil(days: days).day == day else { return nil }
        return Date(timeIntervalSince1970: Double(((days * 24 + hour) * 60 + minute) * 60 + second))
    }

    private static func number(_ text: Substring, in range: ClosedRange<Int>) -> Int? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text) else { return nil }
        return range.contains(number) ? number : nil
    }

    /// A moment as `Sun, 06 Nov 1994 08:49:37 GMT`; fractions of a second are cut off.
    package static func format(_ date: Date) -> String {
        let seconds = Int(date.timeIntervalSince1970.rounded(.down))
        let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
        let (year, month, day) = civil(days: days)
        let rest = seconds - days * 86_400
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let yearText = String(repeating: "0", count: max(0, 4 - "\(year)".count)) + "\(year)"
        let weekday = Self.days[((days % 7) + 7) % 7]
        let clock = "\(two(rest / 3600)):\(two(rest / 60 % 60)):\(two(rest % 60))"
        return "\(weekday), \(two(day)) \(months[month - 1]) \(yearText) \(clock) GMT"
    }

    /// Days of the Gregorian calendar, by eras of 400 years that begin on the first of March.
    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private static func civil(days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        let isNextYear = month >= 10
        return (yearOfEra + era * 400 + (isNextYear ? 1 : 0), isNextYear ? month - 9 : month + 3, day)
    }
}
