import BenchmarkKit
import CBareCodecs
import CGdkRival
import Foundation
import KuvaCore

/// Premultiplied RGBA in memory to 720 pixels wide, on one core. Ours and Pillow's filter is Lanczos with three lobes,
/// bare-c's and OpenCV's the mean of areas, gdk-pixbuf's bilinear over them. libvips multiplies by alpha before, and
/// divides after, Lanczos.
enum ResizeSuite {
    private static let source = PixelSize(width: 2725, height: 2225)
    private static let target = PixelSize(width: 720, height: 588)

    static func contests(_ options: Options) throws -> [Contest] {
        guard Clock.stayOnOneCore() else { throw Failure("the system does not bind the process to one core") }
        let (pixels, source, target) = (try noise(), source, target)
        let (image, bare) = (Image(pixels: pixels), BareResizer())
        let pixelCount = Double(source.width * source.height)
        /// Nanoseconds a source pixel from milliseconds.
        func rate(_ contender: Contest.Contender) -> Contest.Contender {
            Contest.Contender(contender.name) { try contender.run() * 1e6 / pixelCount }
        }
        let work = ["resize", "\(source.width)", "\(source.height)", "\(target.width)"]
        let contest = Contest(
            "rgba-720",
            metric: "cpu a source pixel",
            unit: "ns",
            ours: rate(.cpuMilliseconds("kuva") { _ = try ResizeTransformer(target).transform(image, pool: .shared) }),
            rivals: try [
                rate(.cpuMilliseconds("bare-c") { try bare.resize(pixels, to: target) }),
                rate(
                    .cpuMilliseconds("gdk-pixbuf") {
                        let status = pixels.withUnsafeBytes {
                            gdk_rival_resize(
                                $0.bindMemory(to: UInt8.self).baseAddress,
                                Int32(source.width),
                                Int32(source.height),
                                Int32(target.width),
                                Int32(target.height)
                            )
                        }
                        guard status == 0 else { throw Failure("gdk-pixbuf cannot resize") }
                    }
                ),
                Contest.Contender("goal") { 1.6 },
            ] + PythonRival.contenders(work: work, options).map(rate),
            goals: ["goal": 1, "libvips": 4, "libvips-pypi": 4]
        )
        return contest.name.hasPrefix(options.only) ? [contest] : []
    }

    private static func noise() throws -> PixelBuffer {
        var canvas = try PixelBufferPool.shared.canvas(PixelLayout(size: source))
        canvas.withUnsafeMutableBytes { bytes in
            var state: UInt32 = 1
            for start in stride(from: 0, to: bytes.count, by: 4) {
                state = state &* 1_664_525 &+ 1_013_904_223
                let alpha = UInt8(state >> 24)
                bytes[start] = min(alpha, UInt8(state >> 16 & 255))
                bytes[start + 1] = min(alpha, UInt8(state >> 8 & 255))
                bytes[start + 2] = alpha / 2
                bytes[start + 3] = alpha
            }
        }
        return canvas.freeze()
    }
}

/// Owns the buffer of bare-c.
private final class BareResizer {
    private var picture = bare_picture()

    deinit { bare_release(&picture) }

    func resize(_ pixels: PixelBuffer, to size: PixelSize) throws {
        let status = pixels.withUnsafeBytes {
            bare_resize(
                &picture,
                $0.bindMemory(to: UInt8.self).baseAddress,
                Int32(pixels.layout.width),
                Int32(pixels.layout.height),
                Int32(size.width),
                Int32(size.height)
            )
        }
        guard status == 0 else { throw Failure("bare-c cannot resize") }
    }
}
