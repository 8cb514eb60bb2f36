import FoundationEssentials

/// One picture that someone named: where it is, and what it is called.
struct PictureEntry: Equatable {
    /// The text of the URL.
    var text: String
    /// The title that a feed gives; `nil` for the file's name.
    var title: String?

    init(_ text: String, title: String? = nil) {
        self.text = text
        self.title = title.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The pictures that an argument or a dropped file means: those of a folder, or the one at a path or URL.
    static func entries(named argument: String) -> [PictureEntry] {
        var isFolder = false
        guard !argument.contains("://"), FileManager.default.fileExists(atPath: argument, isDirectory: &isFolder) else {
            return [PictureEntry(argument)]
        }
        return isFolder ? entries(inFolder: argument) : [PictureEntry(URL(filePath: argument).absoluteString)]
    }

    /// The pictures of a folder and of the folders in it, by their names.
    private static func entries(inFolder path: String) -> [PictureEntry] {
        guard let names = try? FileManager.default.subpathsOfDirectory(atPath: path) else { return [] }
        return names.filter { name in
            guard let dot = name.lastIndex(of: "."), !name.split(separator: "/").contains(where: { $0.hasPrefix(".") })
            else { return false }
            return extensions.contains(name[name.index(after: dot)...].lowercased())
        }
        .sorted()
        .map { PictureEntry(URL(filePath: "\(path)/\($0)").absoluteString) }
    }

    /// The usual endings of the names of pictures.
    private static let extensions: Set<String> = [
        "avif", "bmp", "gif", "heic", "heif", "ico", "jpe", "jpeg", "jpg", "jxl", "png", "apng", "svg", "tif", "tiff",
        "webp",
    ]
}
