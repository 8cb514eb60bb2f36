import BenchmarkKit
import Foundation

/// A rival that is a library for Python: a process that does its work whenever it is told to, and says what that cost.
final class PythonRival {
    private let process = Process()
    private let orders = Pipe()
    private let answers = Pipe()
    private let script: String

    /// - Parameters:
    ///   - script: the name of a file in `Benchmarks/Rivals`.
    ///   - work: what it is to do.
    init(_ script: String, _ work: [String], _ options: Options) throws {
        self.script = script
        process.executableURL = URL(fileURLWithPath: Self.interpreter(options))
        process.arguments = [Self.path(of: script)] + work
        process.standardInput = orders
        process.standardOutput = answers
        try process.run()
    }

    deinit { try? orders.fileHandleForWriting.close() }

    /// Where the rivals from PyPI are installed.
    static func interpreter(_ options: Options) -> String { "\(options.prepared)/rivals/bin/python3" }

    static func path(of script: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../Rivals/\(script)")
            .standardizedFileURL.path
    }

    /// The CPU time of doing the work once, in milliseconds.
    func run() throws -> Double {
        try orders.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            guard let bytes = try answers.fileHandleForReading.read(upToCount: 1), !bytes.isEmpty else {
                throw Failure("\(script) ended; script/bench SUITE --prepare installs what it needs")
            }
            line += bytes
        }
        guard let cost = Double(String(decoding: line.dropLast(), as: UTF8.self)) else {
            throw Failure("\(script) did not answer with a number")
        }
        return cost
    }
}

extension PythonRival {
    /// The rivals by the names that they have in the results: libvips is there twice, as Debian has it and as PyPI has.
    private static let scripts: [String: [String]] = [
        "pillow": ["pillow.py"], "libvips": ["vips.py", "debian"], "libvips-pypi": ["vips.py", "pypi"],
        "opencv": ["opencv.py"], "imagemagick": ["magick.py"],
    ]

    /// Contenders that do the same work.
    static func contenders(
        _ names: [String] = ["pillow", "libvips", "libvips-pypi", "opencv"],
        work: [String],
        _ options: Options
    ) throws -> [Contest.Contender] {
        try names.map { name in
            guard let command = scripts[name] else { throw Failure("there is no rival \(name)") }
            let rival = try PythonRival(command[0], command.dropFirst() + work, options)
            return Contest.Contender(name) { try rival.run() }
        }
    }
}
