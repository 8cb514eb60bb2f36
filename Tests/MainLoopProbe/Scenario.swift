import CGLib
import Dispatch
import KuvaMainLoop

/// What the program can be asked to do.
@MainActor
enum Scenario: String {
    case hops, storm, order, idle, early, detach, once, redraw, nested, timers, polling, pollingIdle

    private var log: Log { .shared }

    func run() {
        switch self {
        case .hops: hops(1_000, MainLoop.attach())
        case .polling: hops(20, MainLoop.attach(by: .polling))
        case .storm: storm()
        case .order: order()
        case .idle: idle(MainLoop.attach())
        case .pollingIdle: idle(MainLoop.attach(by: .polling))
        case .early: early()
        case .detach: detach()
        case .once: once()
        case .redraw: redraw()
        case .nested: nested()
        case .timers: timers()
        }
    }

    private func hops(_ count: Int, _ drive: MainLoop.Drive?) {
        report("drive", drive.map { "\($0)" } ?? "none")
        Task.detached {
            for _ in 0..<count { await MainActor.run { Log.shared.note("hop") } }
            DispatchQueue.main.async { Log.shared.isDone = true }
        }
        log.iterateUntilDone()
        report("count", log.entries.count)
        report("strays", log.strayCount)
    }

    private func storm() {
        MainLoop.attach()
        Task.detached {
            await withTaskGroup { group in
                for _ in 0..<16 {
                    group.addTask { for _ in 0..<1_000 { await MainActor.run { Log.shared.note("hop") } } }
                }
            }
            await MainActor.run { Log.shared.isDone = true }
        }
        log.iterateUntilDone()
        report("count", log.entries.count)
        report("strays", log.strayCount)
    }

    private func order() {
        MainLoop.attach()
        for index in 0..<500 {
            DispatchQueue.main.async { Log.shared.note("\(index * 2)") }
            Task { Log.shared.note("\(index * 2 + 1)") }
        }
        DispatchQueue.main.async { Log.shared.isDone = true }
        log.iterateUntilDone()
        report("order", log.entries.joined(separator: ","))
    }

    /// Lets the loop do five rounds after all work is done and counts how it would have waited in each.
    private func idle(_ drive: MainLoop.Drive?) {
        report("drive", drive.map { "\($0)" } ?? "none")
        DispatchQueue.main.async { Log.shared.isDone = true }
        log.iterateUntilDone()
        log.iterateWhatIsReady()
        g_main_context_set_poll_func(nil) { descriptors, count, timeout in
            let ready = g_poll(descriptors, count, 0)
            MainActor.assumeIsolated {
                Log.shared.note(ready > 0 ? "ready" : timeout < 0 ? "sleeps" : "polls")
            }
            return ready
        }
        for _ in 0..<5 { g_main_context_iteration(nil, 1) }
        report("rounds", log.entries.joined(separator: ","))
    }

    private func early() {
        DispatchQueue.main.async { Log.shared.note("dispatch") }
        Task {
            Log.shared.note("task")
            Log.shared.isDone = true
        }
        MainLoop.attach()
        log.iterateUntilDone()
        report("order", log.entries.joined(separator: ","))
    }

    private func detach() {
        MainLoop.attach()
        MainLoop.detach()
        report("drive", MainLoop.drive.map { "\($0)" } ?? "none")
        DispatchQueue.main.async {
            Log.shared.note("work")
            Log.shared.isDone = true
        }
        log.iterateWhatIsReady()
        report("detached", log.entries.count)
        MainLoop.attach()
        log.iterateUntilDone()
        report("attached", log.entries.count)
    }

    /// If attaching twice made two sources, detaching once would leave one that still runs the work.
    private func once() {
        MainLoop.attach()
        MainLoop.attach()
        MainLoop.detach()
        DispatchQueue.main.async { Log.shared.note("work") }
        log.iterateWhatIsReady()
        report("count", log.entries.count)
        MainLoop.detach()
    }

    /// Ten rounds at GDK's redraw priority beside ten pieces of main actor work that were there first.
    private func redraw() {
        MainLoop.attach()
        for _ in 0..<10 { Task { Log.shared.note("work") } }
        g_idle_add_full(
            120,
            { _ in
                MainActor.assumeIsolated {
                    Log.shared.note("redraw")
                    return Log.shared.entries.count { $0 == "redraw" } < 10 ? 1 : 0
                }
            },
            nil,
            nil
        )
        DispatchQueue.main.async { Log.shared.isDone = true }
        log.iterateUntilDone()
        report("order", log.entries.joined(separator: ","))
    }

    /// A loop inside a callback, as a modal dialog runs one.
    private func nested() {
        MainLoop.attach()
        g_idle_add_full(
            0,
            { _ in
                MainActor.assumeIsolated {
                    Log.shared.note("in")
                    Task.detached {
                        await MainActor.run {
                            Log.shared.note("work")
                            Log.shared.isDone = true
                        }
                    }
                    Log.shared.iterateUntilDone()
                    Log.shared.note("out")
                }
                return 0
            },
            nil,
            nil
        )
        log.iterateUntilDone()
        report("order", log.entries.joined(separator: ","))
    }

    private func timers() {
        MainLoop.attach()
        Task {
            try? await Task.sleep(for: .milliseconds(1))
            Log.shared.note("sleep")
            DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(1)) {
                Log.shared.note("after")
                Log.shared.isDone = true
            }
        }
        log.iterateUntilDone()
        report("order", log.entries.joined(separator: ","))
    }
}
