internal import KuvaCore

/// The handle of a load that is work on a pool.
struct PoolLoadHandle: LoadHandle {
    let ticket: LoadTicket
    let pool: WorkPool
    let work: WorkPool.Ticket

    func cancel() {
        // A load that waits is called back before all others, on a thread of the pool; one that runs sees it between
        // two reads.
        if ticket.cancel() { pool.setPriority(.veryHigh, of: work) }
    }

    func setPriority(_ priority: Priority) {
        if !ticket.isCancelled { pool.setPriority(priority, of: work) }
    }
}
