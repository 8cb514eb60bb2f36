import BenchmarkKit
import CBareCodecs
import Foundation
import KuvaCodecs
import KuvaCore

/// Whole files in memory to RGBA in memory, on one core: all pixels, and to fit 400 × 400. The suite of thumbnails has
/// the other rivals for the latter.
enum DecodeSuite {
    /// A set of pictures and the C function that decodes such.
    private struct Kind: Sendable {
        var name: String
        var folder: String
        var bare: BareDecoder.Function
        /// How far the mean of all bytes' differences may be, at most, for the two to have done the same work: whole
        /// pictures come from the same transforms; smaller ones pass through other filters, which shows most in a
        /// photograph of fine patterns.
        var fullTolerance = 1.0
        var fittedTolerance = 8.0
        /// Libraries that decode whole pictures of the kind beside `bare-c`.
        var rivals = ["pillow", "libvips", "libvips-pypi", "opencv", "gdk-pixbuf"]
        /// How many times better than a rival ours is to be for whole pictures.
        var goals = ["bare-c": 0.95]
    }

    private static let kinds = [
        Kind(name: "jpeg", folder: "jpeg", bare: bare_decode_jpeg),
        Kind(
            name: "jpeg-baseline",
            folder: "jpeg-baseline",
            bare: bare_decode_jpeg,
            rivals: ["libvips-pypi", "opencv", "gdk-pixbuf"]
        ),
        Kind(
            name: "png",
            folder: "png",
            bare: bare_decode_png,
            rivals: ["pillow", "libvips", "libvips-pypi", "opencv", "gdk-pixbuf", "imagemagick"],
            goals: ["bare-c": 2.4, "libvips-pypi": 1.3]
        ),
        // Debian's gdk-pixbuf has no loader of its own for these two.
        Kind(
            name: "webp",
            folder: "webp",
            bare: bare_decode_webp,
            rivals: ["pillow", "libvips", "libvips-pypi", "opencv"]
        ),
        Kind(
            name: "avif",
            folder: "avif",
            bare: bare_decode_avif,
            rivals: ["pillow", "libvips", "libvips-pypi", "opencv"]
        ),
    ]

    static func contests(_ options: Options) throws -> [Contest] {
        guard Clock.stayOnOneCore() else { throw Failure("the system does not bind the process to one core") }
        return try kinds.flatMap { kind -> [Contest] in
            let sizes = [0, 400].filter { name(kind, $0).hasPrefix(options.only) }
            guard !sizes.isEmpty else { return [] }
            let pictures = try Pictures(kind.folder, options)
            return try sizes.map { try contest(kind, pictures, fit: $0, options) }
        }
    }

    private static func name(_ kind: Kind, _ fit: Int) -> String { "\(kind.name)-\(fit == 0 ? "full" : "\(fit)")" }

    private static func contest(
        _ kind: Kind,
        _ pictures: Pictures,
        fit: Int,
        _ suiteOptions: Options
    ) throws -> Contest {
        let (bare, files) = (BareDecoder(kind.bare), pictures.files)
        let target = fit == 0 ? nil : TargetSize(PixelSize(width: fit, height: fit))
        let options = DecodeOptions(targetSize: target)
        for file in files {
            try compare(
                try CodecRegistry.builtIn.decode(file, options: options).image.pixels,
                with: bare,
                file: file,
                fit: fit,
                tolerance: fit == 0 ? kind.fullTolerance : kind.fittedTolerance
            )
        }
        return Contest(
            name(kind, fit),
            metric: "cpu",
            unit: "ms",
            ours: .cpuMilliseconds("kuva") {
                for file in files { _ = try CodecRegistry.builtIn.decode(file, options: options) }
            },
            rivals: try [.cpuMilliseconds("bare-c") { for file in files { try bare.decode(file, fit: fit) } }]
                + (fit == 0 ? rivals(kind, pictures, suiteOptions) : []),
            goals: fit == 0 ? kind.goals : [:]
        )
    }

    private static func rivals(
        _ kind: Kind,
        _ pictures: Pictures,
        _ options: Options
    ) throws -> [Contest.Contender] {
        let python = kind.rivals.filter { $0 != "gdk-pixbuf" }
        let contenders = try PythonRival.contenders(python, work: ["decode"] + pictures.paths, options)
        return contenders + (kind.rivals.contains("gdk-pixbuf") ? [GdkRival.decoder(pictures.files, fit: nil)] : [])
    }

    /// Makes sure that both sides give the same picture, so that their times can be compared.
    private static func compare(
        _ ours: PixelBuffer,
        with bare: BareDecoder,
        file: Data,
        fit: Int,
        tolerance: Double
    ) throws {
        try bare.decode(file, fit: fit)
        let size = ours.layout.size
        guard size == PixelSize(width: bare.width, height: bare.height) else {
            throw Failure("ours is \(size) pixels and that of bare-c \(bare.width)x\(bare.height)")
        }
        let difference = ours.withUnsafeBytes { bytes in
            var sum = 0
            for (left, right) in zip(bytes, bare.pixels) { sum += abs(Int(left) - Int(right)) }
            return Double(sum) / Double(bytes.count)
        }
        guard difference <= tolerance else {
            throw Failure("the pixels of ours and of bare-c differ by \(rounded(difference)) in the mean")
        }
    }
}
