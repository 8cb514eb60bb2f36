import BenchmarkKit
import Foundation
import KuvaCache
import KuvaCodecs
import KuvaCore
import KuvaPipeline

/// What every picture goes through.
enum Budgets {
    static func all() throws -> [Budget] { try requests() + memory() + codecs() + [resample()] }

    // MARK: The manager

    private static func requests() throws -> [Budget] {
        let requests = try (0..<64).map { try ImageRequest(string: "https://example.org/pictures/\($0)@2x.jpg") }
        let silent = ImageManager(
            configuration: .init(memoryCache: MemoryCache(pressure: nil), loaders: [SilentLoader()], decoders: Dot())
        )
        return [
            Budget("request", count: 64) { times in
                for number in 0..<times {
                    _ = try ImageRequest(string: "https://example.org/pictures/\(number % 8).jpg")
                }
            },
            Budget("key", count: 256) { times in
                for number in 0..<times where requests[number % 64].cacheKey.original.isEmpty {
                    throw Failure("no key")
                }
            },
            Budget("create-cancel", count: 256) { times in
                for number in 0..<times { silent.task(for: requests[number % 64]).cancel() }
            },
        ]
    }

    private static func memory() throws -> [Budget] {
        let requests = try (0..<64).map { try ImageRequest(string: "https://example.org/pictures/\($0).jpg") }
        let keys = requests.map(\.cacheKey)
        let image = Image(pixels: try noise(PixelSize(width: 8, height: 8)))
        let cache = MemoryCache(byteLimit: .max, pressure: nil)
        for key in keys { cache.store(image, for: key) }
        let manager = ImageManager(configuration: .init(memoryCache: cache, loaders: [], decoders: Dot()))
        return [
            Budget("memory-hit", count: 1024) { times in
                for number in 0..<times {
                    manager.load(requests[number % 64]) { result in
                        if case .failure = result { preconditionFailure("a picture is not in memory") }
                    }
                }
            },
            Budget("direct-hit", count: 1024) { times in
                for number in 0..<times {
                    guard cache.image(for: keys[number % 64]) != nil else {
                        throw Failure("a picture is not in memory")
                    }
                }
            },
            Budget("memory-store", count: 1024) { times in
                for number in 0..<times { cache.store(image, for: keys[number % 64]) }
            },
        ]
    }

    // MARK: Pixels

    private static func codecs() throws -> [Budget] {
        let image = Image(pixels: try noise(PixelSize(width: 256, height: 192)))
        let pool = PixelBufferPool()
        return try [ImageFormat.jpeg, .png, .webp, .gif].flatMap { format in
            let file = try image.data(as: format, quality: 0.85)
            let small = DecodeOptions(targetSize: TargetSize(PixelSize(width: 64, height: 48)))
            return [
                Budget("info-\(format)", count: 16) { times in
                    for _ in 0..<times { _ = try CodecRegistry.builtIn.info(of: file) }
                },
                Budget("decode-\(format)", count: 4) { times in
                    for _ in 0..<times { _ = try CodecRegistry.builtIn.decode(file, pool: pool) }
                },
                Budget("thumbnail-\(format)", count: 4) { times in
                    for _ in 0..<times { _ = try CodecRegistry.builtIn.decode(file, options: small, pool: pool) }
                },
            ]
        }
    }

    private static func resample() throws -> Budget {
        let image = Image(pixels: try noise(PixelSize(width: 640, height: 480)))
        let pool = PixelBufferPool()
        let transformer = ResizeTransformer(PixelSize(width: 160, height: 120))
        return Budget("resize", count: 4) { times in
            for _ in 0..<times { _ = try transformer.transform(image, pool: pool) }
        }
    }

    /// A gradient with some noise over it, so that every coder has something to do.
    private static func noise(_ size: PixelSize) throws -> PixelBuffer {
        var canvas = try PixelBufferPool.shared.canvas(PixelLayout(size: size, alpha: .opaque))
        canvas.withUnsafeMutableBytes { bytes in
            var state: UInt32 = 1
            for index in 0..<(bytes.count / 4) {
                state = state &* 1_664_525 &+ 1_013_904_223
                let (x, y) = (index % size.width, index / size.width)
                let grain = Int(state >> 28)
                bytes[index * 4] = UInt8(truncatingIfNeeded: x * 200 / size.width + grain)
                bytes[index * 4 + 1] = UInt8(truncatingIfNeeded: y * 200 / size.height + grain)
                bytes[index * 4 + 2] = UInt8(truncatingIfNeeded: (x + y) * 100 / size.width + grain)
                bytes[index * 4 + 3] = 255
            }
        }
        return canvas.freeze(alpha: .opaque)
    }
}
