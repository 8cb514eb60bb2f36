internal import FoundationEssentials
internal import Glibc
internal import KuvaCore

/// The kernel's word on memory: pressure stall information (`/proc/pressure/memory`), and the events of the control
/// group, version 2. Where neither is there, nothing is ever told.
///
/// The first observation starts one thread, which sleeps until the kernel wakes it.
public final class SystemMemoryPressure: MemoryPressureSource {
    /// The one of this process.
    public static let shared = SystemMemoryPressure()

    private final class Observation: MemoryPressureObservation {
        let handler: @Sendable (MemoryPressure) -> Void
        init(_ handler: @escaping @Sendable (MemoryPressure) -> Void) { self.handler = handler }
    }

    private struct Weak: Sendable {
        weak var observation: Observation?
    }

    private struct State: Sendable {
        var hasStarted = false
        var observations: [Weak] = []
    }

    private let state = Lock(State())

    private init() {}

    /// See ``MemoryPressureSource``.
    public func observe(
        _ handler: @escaping @Sendable (MemoryPressure) -> Void
    ) -> any MemoryPressureObservation {
        let observation = Observation(handler)
        let starts = state.withLock { state in
            state.observations.removeAll { $0.observation == nil }
            state.observations.append(Weak(observation: observation))
            defer { state.hasStarted = true }
            return !state.hasStarted
        }
        if starts { start() }
        return observation
    }

    private func start() {
        let watches = KernelMemoryWatch.all()
        guard !watches.isEmpty else { return }
        _ = OwnThread.start(name: "kuva-memory") {
            KernelMemoryWatch.run(watches) { pressure in
                let observations = self.state.withLock { $0.observations.compactMap(\.observation) }
                for observation in observations { observation.handler(pressure) }
            }
        }
    }
}

/// A descriptor that wakes when memory is short.
struct KernelMemoryWatch: Sendable {
    enum Kind: Sendable {
        /// A trigger of pressure stall information.
        case stall(MemoryPressure)
        /// An inotify watch on a control group's `memory.events`.
        case events(path: String)
    }

    let file: Int32
    let kind: Kind

    /// Those that this machine has.
    static func all() -> [KernelMemoryWatch] {
        // Some task waits a tenth of the time, or all tasks a twentieth. Unprivileged windows are multiples of 2 s.
        let stalls: [(String, MemoryPressure)] = [
            ("some 200000 2000000", .warning), ("full 100000 2000000", .critical),
        ]
        var watches = stalls.compactMap { trigger, pressure in
            stall("/proc/pressure/memory", trigger).map { KernelMemoryWatch(file: $0, kind: .stall(pressure)) }
        }
        if let path = eventsPath(groups: text("/proc/self/cgroup") ?? "", root: "/sys/fs/cgroup"),
            let watch = events(path)
        {
            watches.append(watch)
        }
        return watches
    }

    private static func stall(_ path: String, _ trigger: String) -> Int32? {
        let file = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return nil }
        // The kernel wants the final zero.
        guard trigger.withCString({ write(file, $0, strlen($0) + 1) }) > 0 else {
            close(file)
            return nil
        }
        return file
    }

    static func events(_ path: String) -> KernelMemoryWatch? {
        let file = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard file >= 0 else { return nil }
        guard inotify_add_watch(file, path, UInt32(IN_MODIFY)) >= 0 else {
            close(file)
            return nil
        }
        return KernelMemoryWatch(file: file, kind: .events(path: path))
    }

    /// Where the control group of version 2 reports events (cgroups(7)).
    static func eventsPath(groups: String, root: String) -> String? {
        guard let line = groups.split(separator: "\n").first(where: { $0.hasPrefix("0::/") }) else { return nil }
        let group = line.dropFirst(4)
        return group.isEmpty ? "\(root)/memory.events" : "\(root)/\(group)/memory.events"
    }

    /// What the growth of a group's event counts means: `high` throttles the group, `max` and `oom` stop it.
    static func pressure(from old: String, to new: String) -> MemoryPressure? {
        func counts(_ text: String) -> [Substring: Int] {
            var counts: [Substring: Int] = [:]
            for line in text.split(separator: "\n") {
                let parts = line.split(separator: " ")
                if parts.count == 2, let count = Int(parts[1]) { counts[parts[0]] = count }
            }
            return counts
        }
        let (before, after) = (counts(old), counts(new))
        func hasGrown(_ name: Substring) -> Bool { after[name, default: 0] > before[name, default: 0] }
        if hasGrown("max") || hasGrown("oom") { return .critical }
        return hasGrown("high") ? .warning : nil
    }

    static func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

    /// Waits for ever, and reports.
    static func run(_ watches: [KernelMemoryWatch], _ report: (MemoryPressure) -> Void) {
        var polls = watches.map { watch in
            if case .stall = watch.kind { return pollfd(fd: watch.file, events: Int16(POLLPRI), revents: 0) }
            return pollfd(fd: watch.file, events: Int16(POLLIN), revents: 0)
        }
        var texts = watches.map { watch in
            if case .events(let path) = watch.kind { return text(path) ?? "" }
            return ""
        }
        while polls.contains(where: { $0.fd >= 0 }) {
            guard poll(&polls, nfds_t(polls.count), -1) > 0 else {
                if errno == EINTR { continue }
                return
            }
            for index in polls.indices where polls[index].revents != 0 {
                if polls[index].revents & Int16(POLLERR | POLLNVAL) != 0 {
                    // The kernel has withdrawn it.
                    polls[index].fd = -1
                    continue
                }
                switch watches[index].kind {
                case .stall(let pressure): report(pressure)
                case .events(let path):
                    var buffer = [UInt8](repeating: 0, count: 4096)
                    while read(polls[index].fd, &buffer, buffer.count) > 0 {}
                    let new = text(path) ?? ""
                    if let pressure = pressure(from: texts[index], to: new) { report(pressure) }
                    texts[index] = new
                }
            }
        }
    }
}
