import BenchmarkKit
import CGTK
import Foundation

/// Swift's main actor on GTK's loop.
@MainActor
enum Bridge {
    @MainActor
    private final class Samples {
        var microseconds: [Double] = []
        var isDone = false
    }

    /// The median way of a hop from another thread to the main actor, back to back, in microseconds.
    static func medianHop(_ count: Int) -> Double {
        let samples = Samples()
        samples.microseconds.reserveCapacity(count)
        Task.detached {
            for _ in 0..<count {
                let start = Clock.wall
                await MainActor.run { samples.microseconds.append((Clock.wall - start) * 1e6) }
            }
            await MainActor.run { samples.isDone = true }
        }
        while !samples.isDone { g_main_context_iteration(nil, 1) }
        return median(samples.microseconds)
    }

    /// How often the loop wakes in a second in which nothing happens, with a window on the screen.
    static func wakeUps(inSeconds seconds: Double) -> Double {
        let window = ListWindow(rows: 0, makeFactory: { gtk_signal_list_item_factory_new() })
        window.present()
        // What the window still has to do is done when nothing happened for a while.
        var deadline = Clock.wall + 0.3
        while Clock.wall < deadline {
            if g_main_context_iteration(nil, 0) != 0 { deadline = Clock.wall + 0.3 } else { usleep(1_000) }
        }
        var isOver = false
        let wakeUps = withUnsafeMutablePointer(to: &isOver) { flag in
            g_timeout_add(
                guint(seconds * 1_000),
                { data in
                    data?.assumingMemoryBound(to: Bool.self).pointee = true
                    return 0
                },
                flag
            )
            var wakeUps = 0
            while !flag.pointee {
                g_main_context_iteration(nil, 1)
                wakeUps += 1
            }
            // The last one was the timer's own.
            return wakeUps - 1
        }
        window.close()
        return Double(wakeUps) / seconds
    }
}
