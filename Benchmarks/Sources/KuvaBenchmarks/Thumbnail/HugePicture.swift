import BenchmarkKit
import Foundation
import KuvaCodecs
import KuvaCore

/// A PNG of 20,000 × 20,000 pixels to 1,000, read from disk piece by piece; each in a process of its own, so that the
/// most memory which the process had is the decoder's.
enum HugePicture {
    private static let side = 1000

    /// The first is for CPU time. Its runs are also those of the second, for memory: one after the other.
    static func contests(_ options: Options) throws -> [Contest] {
        // Half a minute for itself.
        guard "huge-png-\(side)".hasPrefix(options.only), !options.isQuick || !options.only.isEmpty else { return [] }
        let file = "\(options.prepared)/large/400.png"
        guard FileManager.default.isReadableFile(atPath: file) else {
            throw Failure("\(file) is not there; run script/bench thumbnail --prepare")
        }
        let kuva = Runner([CommandLine.arguments[0], "shrink", "\(side)", file])
        let script = [PythonRival.interpreter(options), PythonRival.path(of: "vips.py")]
        let vips = ["debian", "pypi"].map { Runner(script + [$0, "shrink", "\(side)", file]) }
        let names = ["libvips", "libvips-pypi"]
        return [
            Contest(
                "huge-png-\(side)",
                metric: "cpu",
                unit: "ms",
                ours: .init("kuva") { try kuva.measure() },
                rivals: zip(names, vips).map { name, runner in .init(name) { try runner.measure() } },
                goals: ["libvips-pypi": 1]
            ),
            Contest(
                "huge-png-\(side)",
                metric: "rss",
                unit: "MB",
                ours: .init("kuva") { try kuva.nextPeak() },
                rivals: zip(names, vips).map { name, runner in .init(name) { try runner.nextPeak() } }
                    + [.init("goal") { 64 }],
                goals: ["goal": 1]
            ),
        ]
    }

    /// What `kuva-benchmarks shrink SIZE FILE` does: decodes once, and says how many milliseconds of CPU that took and
    /// how many MB the process had at most.
    static func main(_ arguments: [String]) throws {
        guard arguments.count == 2, let side = Int(arguments[0]) else { throw Failure("usage: shrink SIZE FILE") }
        let start = Clock.cpu
        guard let file = FileHandle(forReadingAtPath: arguments[1]), var bytes = try file.read(upToCount: pieceSize)
        else { throw Failure("\(arguments[1]) cannot be read") }
        let options = DecodeOptions(targetSize: TargetSize(PixelSize(width: side, height: side)))
        guard let decoder = CodecRegistry.builtIn.makeDecoder(forPrefix: bytes, options: options) else {
            throw Failure("\(arguments[1]) has no decoder")
        }
        func step<Value>(_ body: () throws -> DecoderStep<Value>) throws -> Value {
            while true {
                if case .done(let value) = try body() { return value }
                bytes = try file.read(upToCount: pieceSize) ?? Data()
                decoder.append(bytes, isLast: bytes.count < pieceSize)
            }
        }
        decoder.append(bytes, isLast: bytes.count < pieceSize)
        let info = try step { try decoder.readInfo() }
        var canvas = try PixelBufferPool.shared.canvas(info.outputLayout)
        _ = try step { try decoder.decodeFrame(into: &canvas) }
        print((Clock.cpu - start) * 1000, try peakMegabytes())
    }

    private static let pieceSize = 1 << 20

    /// What the system says of a child's usage counts the memory of the process that started it.
    private static func peakMegabytes() throws -> Double {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM") }),
            let kibibytes = line.split(whereSeparator: { !$0.isNumber }).first.flatMap({ Double($0) })
        else { throw Failure("the system does not say how much memory a process had") }
        return kibibytes * 1024 / 1e6
    }
}

/// Runs a program that says what it cost.
private final class Runner {
    private let command: [String]
    private var peaks: [Double] = []

    init(_ command: [String]) { self.command = command }

    /// Runs it once; milliseconds of CPU time.
    func measure() throws -> Double {
        let process = Process()
        let answer = Pipe()
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.standardOutput = answer
        try process.run()
        let text = String(decoding: try answer.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard process.terminationStatus == 0, numbers.count == 2 else {
            throw Failure("\(command.joined(separator: " ")) did not answer with two numbers")
        }
        peaks.append(numbers[1])
        return numbers[0]
    }

    /// The peaks of memory of the runs, one by one.
    func nextPeak() throws -> Double {
        guard !peaks.isEmpty else { throw Failure("\(command[0]) was not measured as often as it was asked for") }
        return peaks.removeFirst()
    }
}
