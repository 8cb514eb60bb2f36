import Foundation

/// The folder of test pictures, named by the environment; tests that need it are skipped where it is not set.
enum Corpus {
    static let folder = ProcessInfo.processInfo.environment["KUVA_CORPUS"].map { URL(fileURLWithPath: $0) }

    static var isAvailable: Bool { folder != nil }

    /// The files of a subfolder such as `formats/png`, sorted by name.
    static func files(in path: String) throws -> [URL] {
        guard let folder else { return [] }
        return try FileManager.default
            .contentsOfDirectory(at: folder.appendingPathComponent(path), includingPropertiesForKeys: nil)
            .filter { !$0.hasDirectoryPath }
            .sorted { $0.path < $1.path }
    }
}
