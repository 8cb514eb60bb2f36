/// Builds canonical keys such as `crop(10x20+0+5)`.
enum TransformKey {
    /// A name and its parameters.
    static func make(_ name: String, _ parameters: [String]) -> String {
        parameters.isEmpty ? name : "\(name)(\(parameters.joined(separator: ",")))"
    }

    /// A name that a program chose, with all bytes but letters, digits, `-`, `_` and `.` written as `%` and two digits,
    /// so that no name can look like the key of something else.
    static func escaped(_ name: String) -> String {
        var text = ""
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return text
    }
}
