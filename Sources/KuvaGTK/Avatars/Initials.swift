/// What stands for a person without a picture.
package enum Initials {
    /// The first letters of the first and the last word of a name, as capitals: `MK` for “Märta Karlsson”.
    package static func letters(of name: String) -> String {
        let words = name.split { $0.isWhitespace || $0 == "-" || $0 == "." }.compactMap { word in
            word.first { $0.isLetter || $0.isNumber }
        }
        guard let first = words.first else { return "" }
        return String(words.count > 1 ? [first, words[words.count - 1]] : [first]).uppercased()
    }

    /// One of `count` colours, the same for the same name on every machine and each day: FNV-1a over its UTF-8.
    package static func colourIndex(of name: String, count: Int) -> Int {
        let hash = name.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return Int(hash % UInt64(max(1, count)))
    }
}
