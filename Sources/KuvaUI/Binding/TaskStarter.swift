internal import Dispatch
internal import KuvaCore

/// Does work on tasks away from the main thread, in the order in which it was asked for.
///
/// To start a load takes some ten microseconds, and to end one as many: too much for a list that gets a hundred rows in
/// a frame. Any thread may call it.
package final class TaskStarter: Sendable {
    /// The one for all lists.
    package static let shared = TaskStarter()

    private let works = Lock<[@Sendable () -> Void]>([])
    private let queue = DispatchQueue(label: "kuva.starts", qos: .userInitiated)

    package init() {}

    /// Does the work later, on a thread of its own. It must not block.
    package func perform(_ work: @escaping @Sendable () -> Void) {
        let isFirst = works.withLock { works in
            works.append(work)
            return works.count == 1
        }
        if isFirst { queue.async { self.performAll() } }
    }

    private func performAll() {
        // What comes meanwhile finds an empty list and schedules the next turn, which follows this one.
        let works = works.withLock { works in
            defer { works = [] }
            return works
        }
        for work in works { work() }
    }
}
