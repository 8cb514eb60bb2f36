import BenchmarkKit
import CBareCodecs
import Foundation
import KuvaCodecs
import KuvaCore

/// Whole files in memory to small pictures in memory, on one core.
enum ThumbnailSuite {
    /// The goals are those for 400 pixels.
    private static let kinds: [(name: String, bare: BareDecoder.Function, goals: [String: Double])] = [
        (
            "jpeg", bare_decode_jpeg,
            ["bare-c": 0.95, "libvips-pypi": 1.25, "pillow": 1.3, "gdk-pixbuf": 1, "opencv": 0.95]
        ),
        ("png", bare_decode_png, ["bare-c": 2.2, "libvips-pypi": 1.3]),
        ("webp", bare_decode_webp, ["bare-c": 1]),
        ("avif", bare_decode_avif, ["bare-c": 1]),
    ]

    static func contests(_ options: Options) throws -> [Contest] {
        guard Clock.stayOnOneCore() else { throw Failure("the system does not bind the process to one core") }
        let small = try kinds.flatMap { kind in
            try [100, 400].compactMap { fit -> Contest? in
                guard "\(kind.name)-\(fit)".hasPrefix(options.only) else { return nil }
                let goals = fit == 400 ? kind.goals : [:]
                return try contest(kind.name, kind.bare, try Pictures(kind.name, options), fit: fit, goals, options)
            }
        }
        return try small + HugePicture.contests(options)
    }

    private static func contest(
        _ name: String,
        _ function: @escaping BareDecoder.Function,
        _ pictures: Pictures,
        fit: Int,
        _ goals: [String: Double],
        _ suiteOptions: Options
    ) throws -> Contest {
        let (bare, files) = (BareDecoder(function), pictures.files)
        let options = DecodeOptions(targetSize: TargetSize(PixelSize(width: fit, height: fit)))
        var names = fit == 400 ? ["pillow", "libvips", "libvips-pypi", "opencv"] : ["pillow"]
        if name == "jpeg", fit == 400 { names.append("imagemagick") }
        var rivals: [Contest.Contender] = [
            .cpuMilliseconds("bare-c") { for file in files { try bare.decode(file, fit: fit) } }
        ]
        rivals += try PythonRival.contenders(names, work: ["thumbnail", "\(fit)"] + pictures.paths, suiteOptions)
        // Debian's gdk-pixbuf has no loader for WebP of its own, nor for AVIF.
        if name == "jpeg" || name == "png" { rivals.append(GdkRival.decoder(files, fit: fit)) }
        return Contest(
            "\(name)-\(fit)",
            metric: "cpu",
            unit: "ms",
            ours: .cpuMilliseconds("kuva") {
                for file in files { _ = try CodecRegistry.builtIn.decode(file, options: options) }
            },
            rivals: rivals,
            goals: goals
        )
    }
}
