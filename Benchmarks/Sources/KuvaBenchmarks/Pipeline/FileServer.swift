import BenchmarkKit
import Foundation

/// A web server with files of about 30 KB.
final class FileServer {
    private let server: WebServer

    /// How many files there are, from 20 to 40 KB.
    static let fileCount = 2000

    /// The certificate authority of the server's certificate.
    var authority: String { server.authority }

    init() throws {
        let noise = Data((0..<60_000).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ ($0 >> 7) &* 13) })
        server = try WebServer { root in
            for number in 0..<Self.fileCount {
                let bytes = noise.dropFirst(number % 9000).prefix(20_000 + number * 37 % 20_000)
                try bytes.write(to: root.appending(path: "\(number).jpg"))
            }
        }
    }

    /// Addresses that are all different, so that no load can be spared.
    func urls(_ count: Int, isSecure: Bool) -> [String] {
        let base = server.address(isSecure: isSecure)
        return (0..<count).map { "\(base)/\($0 % Self.fileCount).jpg?\($0)" }
    }

    /// Bytes of all bodies together.
    func byteCount(_ count: Int) -> Int {
        (0..<count).reduce(0) { $0 + 20_000 + ($1 % Self.fileCount) * 37 % 20_000 }
    }
}
