/// Finds what a mistyped word was meant to be.
enum Suggestion {
    /// The candidate that the fewest edits away, two at most, make of the word.
    static func closest(to word: String, in candidates: [String]) -> String? {
        let rated = candidates.map { ($0, distance(Array(word), Array($0))) }
        return rated.filter { $0.1 <= 2 }.min { $0.1 < $1.1 }?.0
    }

    /// Insertions, deletions and replacements of one character that make one word of the other (Levenshtein).
    static func distance(_ from: [Character], _ to: [Character]) -> Int {
        var row = Array(0...to.count)
        for (i, old) in from.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, new) in to.enumerated() {
                let replaced = diagonal + (old == new ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(replaced, row[j] + 1, row[j + 1] + 1)
            }
        }
        return row[to.count]
    }
}
