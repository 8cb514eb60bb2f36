import BenchmarkKit
import Foundation

/// The rival `curl-vips`: what one does at a terminal. curl gets all files at once, then vipsthumbnail makes them small,
/// in a process for each core, into files of raw pixels.
enum CurlAndVips {
    static func load(_ urls: [String], side: Int, connections: Int) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "kuva-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.currentDirectoryURL = folder
        process.arguments =
            [
                "-ec",
                """
                connections=$1 side=$2
                shift 2
                curl --silent --fail --parallel --parallel-immediate --parallel-max "$connections" --remote-name-all "$@"
                printf '%s\\n' *.jpg | xargs -P "$(nproc)" -n 5 vipsthumbnail --size "$side" -o %s.v
                """,
                "sh", "\(connections)", "\(side)",
            ] + urls
        try process.run()
        process.waitUntilExit()
        let made = try FileManager.default.contentsOfDirectory(atPath: folder.path()).count { $0.hasSuffix(".v") }
        guard process.terminationStatus == 0, made == urls.count else {
            throw Failure("curl and vipsthumbnail made \(made) of \(urls.count) pictures")
        }
    }
}
