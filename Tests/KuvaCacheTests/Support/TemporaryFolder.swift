import Foundation

/// A folder of a test's own, gone when the test is over. In memory where the system has such a place: these tests wait
/// for the disk thousands of times, and the code is the same.
final class TemporaryFolder: Sendable {
    let path: String

    init() {
        let isInMemory = FileManager.default.isWritableFile(atPath: "/dev/shm")
        let parent = isInMemory ? "/dev/shm" : FileManager.default.temporaryDirectory.path
        let path = "\(parent)/kuva-cache-tests-\(UUID().uuidString)"
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        self.path = path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The paths of all files below, links and folders left out, relative and sorted.
    func files() -> [String] {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []
        return names.filter { name in
            var isDirectory: ObjCBool = false
            return FileManager.default.fileExists(atPath: "\(path)/\(name)", isDirectory: &isDirectory)
                && !isDirectory.boolValue
        }.sorted()
    }

    /// The files that hold entries: those in a folder of two hexadecimal digits.
    func entries() -> [String] {
        files().filter { $0.split(separator: "/").dropLast().last?.count == 2 }.map { "\(path)/\($0)" }
    }

    /// What lies in the folder for temporary files, sessions included.
    func temporaries() -> [String] { files().filter { $0.contains("/tmp/") } }
}
