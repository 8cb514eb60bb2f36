import BenchmarkKit
import CGTK
import CLoopClock
import Foundation
import Kuva
import KuvaGTK

/// An APNG of 640 × 360 with delays of exactly a thirtieth of a second in a window: which frames are missed, and how late
/// the others are shown.
@MainActor
final class Playing {
    private let seconds: Double
    private var image: AnimatedImage?

    private static let size = PixelSize(width: 640, height: 360)
    private static let frameCount = 60
    private static let delay = 1.0 / 30
    /// A refresh of 60 Hz.
    private static let refresh = 1.0 / 60

    init(_ options: Options) { seconds = options.isQuick ? 1 : 30 }

    var contests: [Contest] {
        [
            Contest(
                "frames-missed",
                metric: "frames",
                unit: "frames",
                ours: .init("kuva") { [self] in try MainActor.assumeIsolated { try Double(play().missedCount) } },
                rivals: [.goal(0)]
            ),
            // From the moment at which a frame is due to the tick that shows it: the first tick is within a refresh.
            Contest(
                "frames-late-p99",
                metric: "wall",
                unit: "ms",
                ours: .init("kuva") { [self] in try MainActor.assumeIsolated { try play().lateness * 1e3 } },
                rivals: [.goal(Self.refresh * 1e3)]
            ),
        ]
    }

    /// What was seen: the frame that was shown after each tick in which it changed.
    private final class Record {
        var shown: [(index: Int, time: Double)] = []
        var isOver = false
    }

    /// Plays for so long, and counts.
    private func play() throws -> (missedCount: Int, lateness: Double) {
        let image = try image ?? Self.makeImage()
        self.image = image
        let view = AnimatedImageView()
        let window = gtk_window_new()
        let pointer = UnsafeMutableRawPointer(window)?.assumingMemoryBound(to: GtkWindow.self)
        gtk_window_set_default_size(pointer, gint(Self.size.width), gint(Self.size.height))
        gtk_window_set_child(pointer, view.imageView.widget.assumingMemoryBound(to: GtkWidget.self))
        gtk_window_present(pointer)
        let record = Record()
        view.frameHandler = { index in
            let clock = gtk_widget_get_frame_clock(window)
            record.shown.append((index, Double(gdk_frame_clock_get_frame_time(clock)) / 1e6))
            guard let first = record.shown.first, let last = record.shown.last else { return }
            record.isOver = last.time - first.time > self.seconds
        }
        view.image = image
        let deadline = Clock.wall + seconds + 10
        runLoop { record.isOver || Clock.wall > deadline }
        view.image = nil
        gtk_window_destroy(pointer)
        guard record.isOver else { throw Failure("the animation does not play") }
        return Self.count(record.shown)
    }

    private static func count(_ shown: [(index: Int, time: Double)]) -> (missedCount: Int, lateness: Double) {
        var number = 0
        var missedCount = 0
        var offsets: [Double] = []
        for (place, frame) in shown.enumerated() {
            if place > 0 {
                let step = (frame.index - shown[place - 1].index + frameCount) % frameCount
                number += step
                missedCount += max(0, step - 1)
            }
            offsets.append(frame.time - Double(number) * delay)
        }
        // No frame comes before it is due, so the earliest of all was shown when it was.
        let start = offsets.min() ?? 0
        let late = offsets.map { $0 - start }.sorted()
        return (missedCount, late[min(late.count - 1, late.count * 99 / 100)])
    }

    private static func makeImage() throws -> AnimatedImage {
        let writer = try APNGEncoder().makeWriter(size: size, lapCount: nil, options: EncodeOptions())
        for number in 0..<frameCount {
            var canvas = try PixelBufferPool.shared.canvas(PixelLayout(size: size, alpha: .opaque))
            canvas.withUnsafeMutableBytes { bytes in
                for index in 0..<(bytes.count / 4) {
                    let (x, y) = (index % size.width, index / size.width)
                    bytes[index * 4] = UInt8(truncatingIfNeeded: x + number * 4)
                    bytes[index * 4 + 1] = UInt8(truncatingIfNeeded: y + number * 2)
                    bytes[index * 4 + 2] = UInt8(truncatingIfNeeded: number * 4)
                    bytes[index * 4 + 3] = 255
                }
            }
            try writer.append(canvas.freeze(alpha: .opaque), duration: .seconds(1) / 30)
        }
        let file = try writer.finish()
        guard let image = try AnimatedImage.decode(file, decoders: CodecRegistry.builtIn) else {
            throw Failure("the animation that was made is none")
        }
        guard image.timeline.durations.allSatisfy({ abs($0 / .seconds(1) - delay) < 1e-12 }) else {
            throw Failure("the delays of the animation are not a thirtieth of a second")
        }
        return image
    }
}
