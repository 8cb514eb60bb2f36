import BenchmarkKit
import Foundation

/// What Kuva costs a program with windows: on its main loop, in its frames, at rest.
@MainActor
enum GTKSuite {
    static func contests(_ options: Options) throws -> [Contest] {
        let server = try WebServer { root in
            let folder = URL(filePath: "\(options.prepared)/rows")
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path()) {
                try FileManager.default.copyItem(at: folder.appending(path: name), to: root.appending(path: name))
            }
        }
        let pictures = try FileManager.default.contentsOfDirectory(atPath: "\(options.prepared)/rows").count
        guard pictures > 0 else { throw Failure("there are no pictures; run script/bench gtk --prepare") }
        let addresses = Addresses(server, pictures: pictures, count: FlingContests.rowCount)
        return try bridge(options) + FlingContests(addresses, options).contests + FirstWindow(addresses).contests
            + Playing(options).contests
    }

    private static func bridge(_ options: Options) -> [Contest] {
        let hops = options.isQuick ? 10_000 : 100_000
        return [
            Contest(
                "hop",
                metric: "wall",
                unit: "µs",
                ours: .init("kuva") { MainActor.assumeIsolated { Bridge.medianHop(hops) } },
                rivals: [.goal(15)]
            ),
            Contest(
                "idle",
                metric: "wakeups",
                unit: "a second",
                ours: .init("kuva") {
                    MainActor.assumeIsolated { Bridge.wakeUps(inSeconds: options.isQuick ? 0.3 : 2) }
                },
                rivals: [.goal(0)]
            ),
        ]
    }
}

/// Where the pictures of a list are; all addresses are different, so that no load can be spared.
struct Addresses {
    /// How many pictures there are.
    let pictures: Int
    private let urls: [URL]
    /// Kept as long as somebody may ask it.
    private let server: WebServer

    /// - Parameter count: how many rows the longest list has.
    init(_ server: WebServer, pictures: Int, count: Int) {
        self.pictures = pictures
        self.server = server
        let base = server.address()
        urls = (0..<count).map { URL(string: "\(base)/\($0 % pictures).jpg?\($0)") ?? URL(filePath: "/") }
    }

    subscript(row: Int) -> URL { urls[row] }
}

extension Contest.Contender {
    /// A fixed figure in the place of a rival.
    static func goal(_ figure: Double) -> Contest.Contender { .init("goal") { figure } }
}
