import BenchmarkKit
import CBareCodecs
import CGdkRival
import Foundation
import KuvaCodecs
import KuvaCore

/// Opaque RGBA in memory to files in memory, on one core: photographs of at most 2000 pixels.
enum EncodeSuite {
    private static let quality = 85

    static func contests(_ options: Options) throws -> [Contest] {
        guard Clock.stayOnOneCore() else { throw Failure("the system does not bind the process to one core") }
        let names = [("jpeg", ImageFormat.jpeg), ("png", .png), ("webp", .webp), ("gif", .gif)]
        let wanted = names.filter { $0.0.hasPrefix(options.only) }
        guard !wanted.isEmpty else { return [] }
        let files = try Pictures("png", options, quickStride: 16)
        let images = try files.files.map { try CodecRegistry.builtIn.decode($0).image }
        return try wanted.map { name, format in
            Contest(
                name,
                metric: "cpu",
                unit: "ms",
                ours: .cpuMilliseconds("kuva") {
                    for image in images { _ = try image.data(as: format, quality: Double(quality) / 100) }
                },
                rivals: try bare(name, images) + gdk(name, images)
                    + PythonRival.contenders(rivals(name), work: ["encode", name, "\(quality)"] + files.paths, options)
            )
        }
    }

    private static func rivals(_ name: String) -> [String] {
        switch name {
        // OpenCV writes no palettes.
        case "gif": ["pillow", "libvips-pypi", "imagemagick"]
        case "jpeg": ["pillow", "libvips-pypi", "opencv", "imagemagick"]
        default: ["pillow", "libvips-pypi", "opencv"]
        }
    }

    private static func bare(_ name: String, _ images: [Image]) -> [Contest.Contender] {
        guard name != "gif" else { return [] }
        return [
            .cpuMilliseconds("bare-c") {
                for image in images {
                    let (width, height) = (Int32(image.pixelSize.width), Int32(image.pixelSize.height))
                    let count = image.pixels.withUnsafeBytes { bytes in
                        let start = bytes.bindMemory(to: UInt8.self).baseAddress
                        return switch name {
                        case "jpeg": bare_encode_jpeg(start, width, height, Int32(quality))
                        case "png": bare_encode_png(start, width, height)
                        default: bare_encode_webp(start, width, height, Int32(quality))
                        }
                    }
                    guard count > 0 else { throw Failure("bare-c cannot encode a picture") }
                }
            }
        ]
    }

    /// Its JPEGs are neither progressive nor optimised; it writes no WebP and no GIF.
    private static func gdk(_ name: String, _ images: [Image]) -> [Contest.Contender] {
        guard name == "jpeg" || name == "png" else { return [] }
        let pictures = images.map { image in
            (
                size: image.pixelSize,
                rgb: image.pixels.withUnsafeBytes { bytes in
                    (0..<bytes.count / 4 * 3).map { bytes[$0 / 3 * 4 + $0 % 3] }
                }
            )
        }
        return [
            .cpuMilliseconds("gdk-pixbuf") {
                for picture in pictures {
                    let (width, height) = (Int32(picture.size.width), Int32(picture.size.height))
                    guard gdk_rival_encode(picture.rgb, width, height, name, "\(quality)") == 0 else {
                        throw Failure("gdk-pixbuf cannot encode a picture")
                    }
                }
            }
        ]
    }
}
