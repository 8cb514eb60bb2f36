import BenchmarkKit
import CGdkRival
import Foundation

/// The rival `gdk-pixbuf`, called in C.
enum GdkRival {
    /// Decodes files, to fit a square with the side `fit` or in full.
    static func decoder(_ files: [Data], fit: Int?) -> Contest.Contender {
        .cpuMilliseconds("gdk-pixbuf") {
            for file in files {
                let status = file.withUnsafeBytes {
                    gdk_rival_thumbnail(
                        $0.bindMemory(to: UInt8.self).baseAddress,
                        $0.count,
                        fit.map { Int32($0) } ?? .max
                    )
                }
                guard status == 0 else { throw Failure("gdk-pixbuf cannot decode a picture") }
            }
        }
    }
}
