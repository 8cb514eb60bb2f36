import Foundation
import KuvaTesting

/// Programs that make and decode fixtures independently of Kuva. Tests that need one are skipped where it is missing.
enum Tool {
    struct Failed: Error {
        let command: String
        let status: Int32
    }

    static let hasJPEG = isPresent("cjpeg") && isPresent("djpeg") && isPresent("jpegtran")
    static let hasWebP = isPresent("cwebp") && isPresent("dwebp") && isPresent("webpmux")
    /// A Python that has Pillow.
    static let python = ["python3", "/usr/bin/python3"].first { (try? run($0, "-c", "import PIL")) != nil }

    /// Runs a program without a shell; `@in` and `@out` in the arguments stand for files with `input` and the result,
    /// with a name extension where one follows, such as `@out.png`.
    ///
    /// - Returns: what it wrote to `@out`, or to its standard output where `@out` is not named.
    @discardableResult
    static func run(_ name: String, _ arguments: String..., input: Data = Data()) throws -> Data {
        try run(name, options: arguments, input: input)
    }

    @discardableResult
    static func run(_ name: String, options arguments: [String], input: Data = Data()) throws -> Data {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("kuva-tool-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func file(_ token: String) -> URL {
            let name = arguments.first { $0.contains(token + ".") }?.split(separator: "@").last.map(String.init)
            return folder.appendingPathComponent(name ?? String(token.dropFirst()))
        }
        let (source, result) = (file("@in"), file("@out"))
        try input.write(to: source)
        try Data().write(to: result)
        let writesItself = arguments.contains { $0.contains("@out") }
        let status = try SpawnedProcess(
            "/usr/bin/env",
            [name] + arguments.map { $0.replacingOccurrences(of: "@", with: folder.path + "/") },
            output: writesItself ? "/dev/null" : result.path
        ).wait()
        guard status == 0 else {
            throw Failed(command: "\(name) \(arguments.joined(separator: " "))", status: status)
        }
        return try Data(contentsOf: result)
    }

    static func isPresent(_ name: String) -> Bool {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":").contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
    }
}
