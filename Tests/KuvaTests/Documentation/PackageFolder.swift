import Foundation

/// The folder of the package, as far as it is still where the tests were built.
enum PackageFolder {
    static var url: URL? {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
        let page = root.appending(path: "docs/from-sdwebimage.md")
        return FileManager.default.fileExists(atPath: page.path()) ? root : nil
    }
}
