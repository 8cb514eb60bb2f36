import BenchmarkKit
import Foundation
import KuvaCodecs
import KuvaCore
import KuvaUI

/// What playing costs: the memory of frames, what many views of one picture add, how often the program wakes, and how
/// soon there is something to see. The other side is the figure that is to be kept to, or one view.
@MainActor
enum PlayingContests {
    nonisolated static func contests(_ options: Options) throws -> [Contest] {
        let isQuick = options.isQuick
        let large = Made(PixelSize(width: 1920, height: 1080), frames: isQuick ? 60 : 344, milliseconds: 33)
        let small = Made(PixelSize(width: 32, height: 32), frames: 20, milliseconds: 100)
        return [
            Contest(
                "window-1080p",
                metric: "bytes",
                unit: "MB",
                ours: .init("kuva") {
                    try MainActor.assumeIsolated { try windowMegabytes(large) }
                },
                rivals: [.init("goal") { 70 }]
            ),
            Contest(
                "shared-20-views",
                metric: "cpu",
                unit: "ms",
                ours: .init("kuva") { try MainActor.assumeIsolated { try sharing(views: 20, options).milliseconds } },
                rivals: [
                    .init("goal") { try MainActor.assumeIsolated { try sharing(views: 1, options).milliseconds } * 1.2 }
                ]
            ),
            Contest(
                "shared-20-views",
                metric: "bytes",
                unit: "MB",
                ours: .init("kuva") { try MainActor.assumeIsolated { try sharing(views: 20, options).megabytes } },
                rivals: [
                    .init("goal") { try MainActor.assumeIsolated { try sharing(views: 1, options).megabytes } * 1.2 }
                ]
            ),
            Contest(
                "wakeups-10fps",
                metric: "wakeups",
                unit: "1/s",
                ours: .init("kuva") { try MainActor.assumeIsolated { try wakeups(small, seconds: isQuick ? 1 : 5) } },
                rivals: [.init("goal") { 10 }]
            ),
            Contest(
                "first-frame",
                metric: "bytes",
                unit: "B",
                ours: .init("kuva") { try MainActor.assumeIsolated { try bytesToFirstFrame() } },
                rivals: [.init("goal") { 65_536 }]
            ),
        ]
    }

    /// Plays a 1920 × 1080 animation for one lap on a simulated screen; the most bytes of frames held at a time.
    private static func windowMegabytes(_ made: Made) throws -> Double {
        let image = try made.image()
        var most = 0
        withPlayers(1, of: image) { refresh in
            for number in 0..<(image.frameCount * 2) {
                refresh(number)
                most = max(most, image.frameBytes.count + image.bytesPerFrame)
            }
        }
        return Double(most) / 1e6
    }

    /// The CPU time of decoding, and the memory of frames, of one GIF that plays for two laps in so many views.
    private static func sharing(views: Int, _ options: Options) throws -> (milliseconds: Double, megabytes: Double) {
        guard let name = try AnimationSuite.files("gif", options).first,
            let decoded = try AnimatedImage.decode(
                Data(contentsOf: URL(fileURLWithPath: name)),
                decoders: CodecRegistry.builtIn
            )
        else { throw Failure("there is no animation to share") }
        let frames = TimedFrames(decoded.provider)
        let image = AnimatedImage(poster: decoded.poster, provider: frames)
        var most = 0
        let refreshes = Int(image.timeline.lapDuration / .milliseconds(16)) * 2
        withPlayers(views, of: image) { refresh in
            for number in 0..<refreshes {
                refresh(number)
                most = max(most, image.frameBytes.count + image.bytesPerFrame)
            }
        }
        return (frames.milliseconds, Double(most) / 1e6)
    }

    /// How often a second the main thread wakes while an animation of 10 frames a second plays.
    private static func wakeups(_ made: Made, seconds: Int) throws -> Double {
        let image = try made.image()
        var count = 0
        let player = AnimatedImagePlayer(image, store: FrameBufferStore()) { onTick in
            TimerDisplayLink { link in
                count += 1
                onTick(link)
            }
        }
        player.play()
        // The start looks at the clock before there is anything to wait for.
        RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.5))
        count = 0
        RunLoop.main.run(until: Date(timeIntervalSinceNow: Double(seconds)))
        player.invalidate()
        return Double(count) / Double(seconds)
    }

    /// How many bytes of a GIF of 20 MB, whose first frame ends at 60 kB, must come before that can be shown; in pieces of
    /// 4 KiB.
    private static func bytesToFirstFrame() throws -> Double {
        let file = growingFile
        var growing = GrowingAnimation(decoders: CodecRegistry.builtIn)
        var count = 0
        while growing.image == nil, count < file.count {
            try growing.append(file.dropFirst(count).prefix(4096), isLast: false)
            count += 4096
        }
        return Double(count)
    }

    /// Frames of 160 × 470 with codes of 6 bits that compress nothing, as GIF allows: 60 kB each.
    private static let growingFile: Data = {
        func littleEndian(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }
        let sides = littleEndian(160) + littleEndian(470)
        // A clear code before each 16 others keeps the codes at 6 bits.
        var bits: [UInt8] = []
        var (held, heldCount) = (0, 0)
        func put(_ code: Int) {
            held |= code << heldCount
            heldCount += 6
            while heldCount >= 8 {
                bits.append(UInt8(held & 255))
                (held, heldCount) = (held >> 8, heldCount - 8)
            }
        }
        for pixel in 0..<(160 * 470) {
            if pixel % 16 == 0 { put(32) }
            put(pixel % 32)
        }
        put(33)
        bits.append(UInt8(held & 255))
        var frame: [UInt8] = [0x21, 0xF9, 4, 0, 10, 0, 0, 0, 0x2C, 0, 0, 0, 0] + sides + [0, 5]
        for start in stride(from: 0, to: bits.count, by: 255) {
            let block = bits[start..<min(bits.count, start + 255)]
            frame += [UInt8(block.count)] + block
        }
        frame.append(0)
        let screen: [UInt8] = Array("GIF89a".utf8) + sides + [0xF4, 0, 0]
        let palette: [UInt8] = (0..<96).map { UInt8($0 * 2) }
        var file = Data(screen + palette)
        while file.count < 20_000_000 { file.append(contentsOf: frame) }
        return file
    }()

    /// Plays in so many views on a simulated screen of 60 Hz that waits for each frame to be decoded.
    private static func withPlayers(
        _ count: Int,
        of image: AnimatedImage,
        _ body: ((_ refresh: Int) -> Void) -> Void
    ) {
        let threads = WorkPool(name: "bench", threads: 1)
        let store = FrameBufferStore(threads: threads)
        var links: [ManualDisplayLink] = []
        let players = (0..<count).map { _ in
            AnimatedImagePlayer(image, store: store) { onTick in
                let link = ManualDisplayLink(framesPerSecond: 60, onTick: onTick)
                links.append(link)
                return link
            }
        }
        for player in players { player.play() }
        body { number in
            for link in links { link.refresh(at: .seconds(1) + .seconds(number) / 60) }
            // Decodes end before the next refresh, as they do on a screen: the work that was queued last is done last.
            let done = DispatchSemaphore(value: 0)
            threads.submit(priority: .veryLow) { done.signal() }
            done.wait()
        }
        for player in players { player.invalidate() }
    }
}

/// An animation with a bar that moves, as Kuva writes it; made when it is first asked for.
private final class Made: Sendable {
    private let size: PixelSize
    private let frameCount: Int
    private let milliseconds: Int
    private let file = Lock<Data?>(nil)

    init(_ size: PixelSize, frames: Int, milliseconds: Int) {
        (self.size, frameCount, self.milliseconds) = (size, frames, milliseconds)
    }

    /// A new one each time, none of whose frames is decoded.
    func image() throws -> AnimatedImage {
        let known = file.withLock { $0 }
        let data = try known ?? write()
        file.withLock { $0 = data }
        guard let image = try AnimatedImage.decode(data, decoders: CodecRegistry.builtIn) else {
            throw Failure("the animation that was made is none")
        }
        return image
    }

    private func write() throws -> Data {
        let writer = try GIFAnimationEncoder().makeWriter(size: size, lapCount: nil, options: EncodeOptions())
        for number in 0..<frameCount {
            var canvas = try PixelBufferPool.shared.canvas(PixelLayout(size: size, alpha: .opaque))
            canvas.withUnsafeMutableBytes { bytes in
                let words = bytes.bindMemory(to: UInt32.self)
                words.update(repeating: UInt32(littleEndian: 0xFF20_4060))
                let row = number * 7 % size.height * size.width
                for x in 0..<size.width { words[row + x] = UInt32(littleEndian: 0xFFFF_FFFF) }
            }
            try writer.append(canvas.freeze(alpha: .opaque), duration: .milliseconds(milliseconds))
        }
        return try writer.finish()
    }
}

/// Counts the CPU time of decoding frames.
private final class TimedFrames: AnimatedImageProvider {
    private let base: any AnimatedImageProvider
    private let seconds = Lock(0.0)

    init(_ base: any AnimatedImageProvider) { self.base = base }

    var format: ImageFormat { base.format }
    var layout: PixelLayout { base.layout }
    var timeline: AnimationTimeline { base.timeline }
    var encodedByteCount: Int { base.encodedByteCount }
    var milliseconds: Double { seconds.withLock { $0 } * 1000 }

    func frame(at index: Int, pool: PixelBufferPool) throws(ImageError) -> PixelBuffer {
        let start = Self.threadTime
        defer { seconds.withLock { $0 += Self.threadTime - start } }
        return try base.frame(at: index, pool: pool)
    }

    private static var threadTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
