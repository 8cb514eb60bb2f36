import BenchmarkKit
import CGTK
import CLoopClock
import Foundation
import Kuva

/// One way through a whole list, as the flick of a finger makes it: fast at first, slow at the end.
@MainActor
struct Fling {
    /// What the list's own handlers took.
    struct Own {
        /// Milliseconds of the median frame.
        var median = 0.0
        /// 99 of 100 frames are below.
        var high = 0.0
        /// Microseconds for each picture that came.
        var eachPicture = 0.0

        init(_ frames: [Double], pictures: Int) {
            let sorted = frames.sorted()
            median = BenchmarkKit.median(sorted)
            high = sorted[min(sorted.count - 1, sorted.count * 99 / 100)]
            eachPicture = sorted.reduce(0, +) * 1e3 / Double(pictures)
        }
    }
    /// From their begin to their end, with what else ran on the machine.
    var wall: Own
    /// Of CPU.
    var own: Own
    /// Milliseconds from frame to frame, on average.
    var frame = 0.0
    /// Milliseconds of CPU of the main thread for each frame.
    var cpu = 0.0
    /// Bytes of the process in memory when the last row had its picture.
    var resident = 0

    /// Scrolls through a list and measures.
    ///
    /// - Parameter frames: frames from the first row to the last.
    init(_ rows: any Rows, count: Int, frames: Int) throws {
        let window = ListWindow(rows: count, makeFactory: rows.makeFactory)
        window.present()
        runLoop { window.isMapped }
        var (own, ownCPU): ([Double], [Double]) = ([], [])
        var (started, startedCPU) = (0.0, UInt64(0))
        var (ended, endedCPU) = (0.0, UInt64(0))
        window.onFrame = {
            var cpu: UInt64 = 0
            let nanoseconds = loop_clock_take(&cpu)
            if started == 0 {
                (started, startedCPU) = (Clock.wall, loop_clock_thread_cpu())
            } else if own.count < frames {
                own.append(Double(nanoseconds) / 1e6)
                ownCPU.append(Double(cpu) / 1e6)
                (ended, endedCPU) = (Clock.wall, loop_clock_thread_cpu())
            }
            let left = 1 - Double(own.count) / Double(frames)
            window.scroll(to: 1 - left * left * left)
        }
        window.beginFrames()
        runLoop { own.count == frames }
        window.endFrames()
        resident = Self.residentByteCount
        let delivered = rows.deliveredCount
        window.close()
        rows.end()
        guard delivered > 0 else { throw Failure("no picture came while the list was scrolled") }
        wall = Own(own, pictures: delivered)
        self.own = Own(ownCPU, pictures: delivered)
        frame = (ended - started) * 1e3 / Double(frames)
        cpu = Double(endedCPU - startedCPU) / 1e6 / Double(frames)
    }
}

extension Fling {
    /// Bytes of the process in memory.
    static var residentByteCount: Int {
        let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
    }
}

/// The contests that are decided by flings; each fling counts in all of them.
@MainActor
final class FlingContests {
    private enum Kind: Hashable { case kuva, naive, ready }

    private let addresses: Addresses
    private let frames: Int
    private let ready: [Image]
    /// Bytes of the process before the first fling.
    private let residentBefore: Int
    private var runs: [Kind: [Fling]] = [:]

    static let rowCount = 10_000

    init(_ addresses: Addresses, _ options: Options) throws {
        self.addresses = addresses
        frames = options.isQuick ? 60 : 300
        ready = try Self.images(addresses)
        residentBefore = Fling.residentByteCount
    }

    var contests: [Contest] {
        [
            // The first, before rivals leave anything in memory.
            contest(
                "fling-resident",
                metric: "memory",
                unit: "MB",
                { [residentBefore] in Double(max(0, $0.resident - residentBefore)) / 1e6 },
                rivals: [],
                goal: Double(KuvaRows.memoryBudget) / 1e6
            ),
            contest("fling", metric: "cpu", unit: "ms", { $0.own.median }, rivals: [.naive], goal: 0.2),
            contest("fling", unit: "ms", { $0.wall.median }, rivals: [.naive], goal: 0.2),
            contest("fling-p99", metric: "cpu", unit: "ms", { $0.own.high }, rivals: [.naive], goal: 2),
            contest("fling-p99", unit: "ms", { $0.wall.high }, rivals: [.naive], goal: 2),
            contest(
                "fling-each-picture",
                metric: "cpu",
                unit: "µs",
                { $0.own.eachPicture },
                rivals: [.naive],
                goal: 100
            ),
            contest("fling-frame", unit: "ms", { $0.frame }, rivals: [.ready, .naive], goal: nil),
            contest("fling-frame", metric: "cpu", unit: "ms", { $0.cpu }, rivals: [.ready, .naive], goal: nil),
        ]
    }

    private func contest(
        _ name: String,
        metric: String = "wall",
        unit: String,
        _ figure: @escaping @MainActor (Fling) -> Double,
        rivals: [Kind],
        goal: Double?
    ) -> Contest {
        func contender(_ kind: Kind) -> Contest.Contender {
            var turn = 0
            let name =
                switch kind {
                case .kuva: "kuva"
                case .naive: "naive-gtk"
                case .ready: "pictures-there"
                }
            return .init(name) { [self] in
                defer { turn += 1 }
                return try MainActor.assumeIsolated { figure(try run(kind, turn)) }
            }
        }
        return Contest(
            name,
            metric: metric,
            unit: unit,
            ours: contender(.kuva),
            rivals: rivals.map(contender) + (goal.map { [.goal($0)] } ?? [])
        )
    }

    /// The fling of that number of a list, which is made if there is none yet.
    private func run(_ kind: Kind, _ number: Int) throws -> Fling {
        if let known = runs[kind], known.indices.contains(number) { return known[number] }
        let rows: any Rows =
            switch kind {
            case .kuva:
                // New each time: nothing is in memory or on disk.
                KuvaRows(Self.rowCount, try KuvaRows.makeManager(nil), addresses)
            case .naive: try NaiveRows(addresses)
            case .ready: ReadyRows(ready)
            }
        let fling = try Fling(rows, count: Self.rowCount, frames: frames)
        runs[kind, default: []].append(fling)
        return fling
    }

    /// The pictures in the size of the cells.
    private static func images(_ addresses: Addresses) throws -> [Image] {
        let manager = try KuvaRows.makeManager(nil)
        var images: [Image] = []
        var isDone = false
        let size = TargetSize(PixelSize(width: 180, height: 135), mode: .aspectFill)
        Task {
            for row in 0..<addresses.pictures {
                let request = ImageRequest(url: addresses[row], targetSize: size)
                if let image = try? await manager.image(for: request) { images.append(image) }
            }
            isDone = true
        }
        runLoop { isDone }
        guard images.count == addresses.pictures else { throw Failure("not every picture comes from the server") }
        return images
    }
}
