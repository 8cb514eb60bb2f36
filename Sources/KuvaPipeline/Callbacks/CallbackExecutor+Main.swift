public import Dispatch
public import KuvaCore

extension CallbackExecutor {
    /// The main thread: at once for who is on it already, through the main queue for others. Its callbacks may assume
    /// the main actor.
    public static let main: CallbackExecutor = {
        // A program that waits in `dispatchMain` has its main queue run by other threads; a toolkit's callbacks are on
        // the main thread and not on the queue.
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return CallbackExecutor(
            isHere: { OwnThread.isMain || DispatchQueue.getSpecific(key: key) == true },
            enqueue: { body in DispatchQueue.main.async(execute: body) }
        )
    }()

    /// A dispatch queue, which should be serial: a concurrent one keeps no order.
    public static func queue(_ queue: DispatchQueue) -> CallbackExecutor {
        CallbackExecutor { body in queue.async(execute: body) }
    }
}
