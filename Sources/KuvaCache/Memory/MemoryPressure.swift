/// How short of memory the machine, or the program's control group, is.
public enum MemoryPressure: Sendable {
    /// Programs wait for memory now and then.
    case warning
    /// Programs hardly get on, or a limit has been reached.
    case critical
}

/// Tells of memory pressure. Programs put their own in place of ``SystemMemoryPressure``, and tests do.
public protocol MemoryPressureSource: Sendable {
    /// Calls `handler` on a thread of the source's choosing whenever there is pressure, until the observation is gone.
    /// The handler must not block.
    func observe(_ handler: @escaping @Sendable (MemoryPressure) -> Void) -> any MemoryPressureObservation
}

/// Lasts as long as it is referenced.
public protocol MemoryPressureObservation: AnyObject, Sendable {}
