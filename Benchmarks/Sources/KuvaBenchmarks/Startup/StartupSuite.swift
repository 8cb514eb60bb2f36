import BenchmarkKit
import Foundation

/// From the start of a process to its end, for one line about one file: what a person at a terminal waits for.
enum StartupSuite {
    static func contests(_ options: Options) throws -> [Contest] {
        let kuva = "\(options.prepared)/kuva"
        let kinds: [(name: String, folder: String)] = [("info-jpeg", "jpeg"), ("info-png", "png")]
        return try kinds.filter { $0.name.hasPrefix(options.only) }.map { kind in
            let file = try Pictures(kind.folder, options).paths[0]
            let pillow = "import sys, PIL.Image as I; p = I.open(sys.argv[1]); print(p.format, p.size, p.mode)"
            return Contest(
                kind.name,
                metric: "wall",
                unit: "ms",
                ours: contender("kuva", [kuva, "info", file], options),
                rivals: [
                    contender("vipsheader", ["vipsheader", file], options),
                    contender("identify", ["identify", file], options),
                    contender("pillow", ["/usr/bin/python3", "-c", pillow, file], options),
                ]
            )
        }
    }

    /// The time that one run of a program takes, in milliseconds, as the mean of several: a single one is too short to
    /// be told from the next.
    private static func contender(_ name: String, _ command: [String], _ options: Options) -> Contest.Contender {
        let count = options.isQuick ? 10 : 40
        return Contest.Contender(name) {
            let start = Clock.wall
            for _ in 0..<count { try ChildProcess.run(command) }
            return (Clock.wall - start) * 1000 / Double(count)
        }
    }
}
