internal import KuvaCore

/// In which format a picture is written that is stored without its file.
enum EncodeRule {
    /// The formats for a picture, the best first: its own; GIF if it moves; PNG if it has alpha; JPEG, and PNG where
    /// nothing writes that.
    ///
    /// So chooses SDWebImage, but for this: a picture that came as a JPEG and has got alpha since, rounded corners say,
    /// would lose it again.
    ///
    /// - Parameters:
    ///   - own: the format that it came in; ``ImageFormat/unknown`` for a drawing.
    static func formats(own: ImageFormat, frameCount: Int, hasAlpha: Bool) -> [ImageFormat] {
        var formats: [ImageFormat] = []
        if own != .unknown, !(own == .jpeg && hasAlpha) { formats.append(own) }
        if frameCount > 1, own != .gif { formats.append(.gif) }
        for format in hasAlpha ? [ImageFormat.png] : [.jpeg, .png] where !formats.contains(format) {
            formats.append(format)
        }
        return formats
    }
}
