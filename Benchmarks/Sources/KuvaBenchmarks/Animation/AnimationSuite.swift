import BenchmarkKit
import CBareCodecs
import Foundation
import KuvaCodecs
import KuvaCore

/// Animations: whole files in memory to every composited frame on one core, and what playing them costs.
enum AnimationSuite {
    static func contests(_ options: Options) throws -> [Contest] {
        // What is measured in time by the clock comes first: the rest is bound to one core.
        let playing = try PlayingContests.contests(options)
        let decoding = try decodingContests(options)
        return (decoding + playing).filter { $0.name.hasPrefix(options.only) }
    }

    private static func decodingContests(_ options: Options) throws -> [Contest] {
        guard Clock.stayOnOneCore() else { throw Failure("the system does not bind the process to one core") }
        let kinds: [(name: String, format: String, rival: String, function: BareDecoder.Function)] = [
            ("gif-frames", "gif", "giflib", bare_decode_gif),
            ("webp-frames", "webp", "libwebp", bare_decode_webp_animation),
        ]
        return try kinds.filter { $0.name.hasPrefix(options.only) }.map { kind in
            let names = try files(kind.format, options)
            let files = try names.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
            let bare = BareDecoder(kind.function)
            return Contest(
                kind.name,
                metric: "cpu",
                unit: "ms",
                ours: .cpuMilliseconds("kuva") { for file in files { try play(file) } },
                rivals: try [.cpuMilliseconds(kind.rival) { for file in files { try bare.decode(file, fit: 0) } }]
                    + PythonRival.contenders(["pillow"], work: ["frames"] + names, options)
            )
        }
    }

    /// Decodes every frame of a file once, as a player does.
    private static func play(_ file: Data) throws {
        guard
            let decoder = CodecRegistry.builtIn.makeDecoder(forPrefix: file, options: DecodeOptions())
                as? any AnimationDecoder
        else { throw Failure("an animation has no decoder") }
        decoder.append(file, isLast: true)
        guard case .done(let info) = try decoder.readInfo() else { throw Failure("an animation is cut off") }
        decoder.seek(toFrame: 0)
        var frames = 0
        while true {
            var canvas = try PixelBufferPool.shared.canvas(info.outputLayout)
            guard case .done(let frame) = try decoder.decodeFrame(into: &canvas) else { break }
            _ = canvas.freeze(alpha: frame.alpha)
            frames += 1
        }
        guard frames > 1 else { throw Failure("an animation has one frame only") }
    }

    /// The animations of the corpus, where there is one, otherwise those that were prepared. Small ones say nothing.
    static func files(_ format: String, _ options: Options) throws -> [String] {
        let corpus = ProcessInfo.processInfo.environment["KUVA_CORPUS"].map { "\($0)/formats" }
        let folder = "\(corpus ?? "\(options.prepared)/animations")/\(format)"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        return try names.map { "\(folder)/\($0)" }.filter { name in
            let file = try Data(contentsOf: URL(fileURLWithPath: name))
            guard file.count > 5_000 else { return false }
            return try CodecRegistry.builtIn.info(of: file).frameCount >= 4
        }
    }
}
