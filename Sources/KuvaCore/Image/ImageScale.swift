internal import FoundationEssentials

/// The scale that a file name carries, as Apple platforms write it.
public enum ImageScale {
    /// The scale in the path of a URL.
    static func inName(of url: URL) -> Double {
        // Nearly no URL has the sign, and to take one apart takes long.
        let mayHaveOne = url.absoluteString.utf8.contains { $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: "%") }
        return mayHaveOne ? inName(url.path()) : 1
    }

    /// The scale in a name such as `face@2x.png` or, URL-encoded, `face%402x.png`: the number before the `x` of the
    /// last `@…x` that stands before the file's extension, its query or its end. 1 where there is none.
    ///
    /// Only whole numbers from 1 to 9 count, so that `user@2xyz.png` and `@0x` give 1.
    public static func inName(_ name: String) -> Double {
        let bytes = Array(name.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
        var scale = 1.0
        for (index, byte) in bytes.enumerated() where (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(byte) {
            guard index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "x") else { continue }
            guard index + 2 == bytes.count || bytes[index + 2] == UInt8(ascii: ".") else { continue }
            let before = bytes[..<index]
            if before.last == UInt8(ascii: "@") || before.suffix(3).elementsEqual("%40".utf8) {
                scale = Double(byte - UInt8(ascii: "0"))
            }
        }
        return scale
    }
}
