internal import KuvaCore

/// The order in which entries leave: a queue of uses in a SQLite database that all processes share.
///
/// Each store, and each use that moves an entry back, adds a row at the end; eviction takes rows from the front. A row
/// whose entry was used later has a successor further back and counts for nothing. So all work is at the two ends of
/// one table, and costs the same however many entries there are. A hint: the files are the truth, and the table is
/// made from them again when it is lost or damaged.
final class UseQueue: Sendable {
    /// A use and its place in the queue.
    struct Row: Sendable {
        let sequence: Int64
        let use: Use
    }

    // Unchecked: used only inside the queue's lock.
    private final class Connection: @unchecked Sendable {
        let database: SQLiteDatabase
        let append: SQLiteDatabase.Statement
        let oldest: SQLiteDatabase.Statement
        let forget: SQLiteDatabase.Statement
        let forgetUntil: SQLiteDatabase.Statement
        let forgetStored: SQLiteDatabase.Statement
        let bounds: SQLiteDatabase.Statement

        init(path: String) throws(SQLiteDatabase.Failure) {
            database = try SQLiteDatabase(path: path)
            // A power cut may damage what is not synchronised; the index is rebuilt after one in any case.
            try database.run(
                """
                PRAGMA synchronous = OFF; PRAGMA journal_mode = WAL; PRAGMA cache_size = -4096;
                CREATE TABLE IF NOT EXISTS uses
                (sequence INTEGER PRIMARY KEY, name BLOB NOT NULL, used INTEGER NOT NULL, stored INTEGER NOT NULL)
                """
            )
            append = try database.prepare("INSERT INTO uses (name, used, stored) VALUES (?1, ?2, ?3)")
            oldest = try database.prepare(
                "SELECT sequence, name, used, stored FROM uses WHERE sequence > ?1 ORDER BY sequence LIMIT ?2"
            )
            forget = try database.prepare("DELETE FROM uses WHERE sequence <= ?1")
            forgetUntil = try database.prepare("DELETE FROM uses WHERE sequence <= ?1 AND used < ?2")
            forgetStored = try database.prepare("DELETE FROM uses WHERE sequence <= ?1 AND stored < ?2")
            // Each end by itself: SQLite finds one at once, and both in one question by reading all rows.
            bounds = try database.prepare(
                """
                SELECT ifnull((SELECT min(sequence) FROM uses), 1), ifnull((SELECT max(sequence) FROM uses), 0)
                """
            )
        }
    }

    private let path: String
    private let connection: Lock<Connection?>

    /// Opens the queue in a file. What cannot be opened is left out: see ``isLost``.
    init(path: String) {
        self.path = path
        connection = Lock(try? Connection(path: path))
    }

    /// Whether the database could not be used, so that it must be made anew with ``renew(_:)``.
    var isLost: Bool { connection.withLock { $0 == nil } }

    /// Makes a queue without rows in place of one that is lost; if the file cannot be, in memory, for this process.
    ///
    /// - Parameter removeFiles: removes the database's files, whose paths it is given.
    func renew(_ removeFiles: ([String]) -> Void) {
        connection.withLock { connection in
            connection = nil
            removeFiles([path, "\(path)-wal", "\(path)-shm"])
            connection = (try? Connection(path: path)) ?? (try? Connection(path: ":memory:"))
        }
    }

    /// Adds uses at the end.
    func append(_ uses: some Sequence<Use>) {
        with { (connection) throws(SQLiteDatabase.Failure) in
            try connection.database.transaction { () throws(SQLiteDatabase.Failure) in
                for use in uses {
                    try connection.append.bind(1, use.name)
                    try connection.append.bind(2, use.used)
                    try connection.append.bind(3, use.stored)
                    try connection.append.run()
                }
            }
        }
    }

    /// The first rows after a place.
    func oldest(_ count: Int, after sequence: Int64 = .min) -> [Row] {
        var rows: [Row] = []
        with { (connection) throws(SQLiteDatabase.Failure) in
            let statement = connection.oldest
            try statement.bind(1, sequence)
            try statement.bind(2, Int64(count))
            try statement.run {
                guard let name = statement.name(1) else { return }
                let use = Use(name: name, used: statement.int64(2), stored: statement.int64(3))
                rows.append(Row(sequence: statement.int64(0), use: use))
            }
        }
        return rows
    }

    /// Drops all rows up to a place.
    func forget(through sequence: Int64) {
        with { (connection) throws(SQLiteDatabase.Failure) in
            try connection.forget.bind(1, sequence)
            try connection.forget.run()
        }
    }

    /// Drops the rows up to a place that were used before a time.
    func forget(through sequence: Int64, usedBefore time: Int64) {
        with { (connection) throws(SQLiteDatabase.Failure) in
            try connection.forgetUntil.bind(1, sequence)
            try connection.forgetUntil.bind(2, time)
            try connection.forgetUntil.run()
        }
    }

    /// Drops the rows up to a place that were stored before a time.
    func forget(through sequence: Int64, storedBefore time: Int64) {
        with { (connection) throws(SQLiteDatabase.Failure) in
            try connection.forgetStored.bind(1, sequence)
            try connection.forgetStored.bind(2, time)
            try connection.forgetStored.run()
        }
    }

    /// About how many rows there are: exact but for gaps in the middle. O(log n).
    var rowCount: Int {
        var count = 0
        with { (connection) throws(SQLiteDatabase.Failure) in
            let statement = connection.bounds
            try statement.run { count = Int(statement.int64(1) - statement.int64(0) + 1) }
        }
        return count
    }

    /// Puts what `walk` finds on disk in place of all rows that are there now, in the order of use. Rows that come
    /// meanwhile stay, behind.
    ///
    /// - Parameter walk: calls its argument for each batch of uses, and gives whether it saw them all.
    func rebuild(_ walk: (([Use]) -> Void) -> Bool) {
        with { (connection) throws(SQLiteDatabase.Failure) in
            let database = connection.database
            var last: Int64 = 0
            try connection.bounds.run { last = connection.bounds.int64(1) }
            try database.run(
                """
                CREATE TEMP TABLE IF NOT EXISTS found (name BLOB NOT NULL, used INTEGER NOT NULL);
                DELETE FROM found
                """
            )
            let insert = try database.prepare("INSERT INTO found VALUES (?1, ?2)")
            var failure: SQLiteDatabase.Failure?
            let isWhole = walk { uses in
                do throws(SQLiteDatabase.Failure) {
                    for use in uses {
                        try insert.bind(1, use.name)
                        try insert.bind(2, use.used)
                        try insert.run()
                    }
                } catch { failure = error }
            }
            if let failure { throw failure }
            guard isWhole else { return }
            try database.transaction { () throws(SQLiteDatabase.Failure) in
                try database.run(
                    """
                    DELETE FROM uses WHERE sequence <= \(last);
                    INSERT INTO uses SELECT \(last) - (SELECT count(*) FROM found) + row_number() OVER (ORDER BY used),
                    name, used, used FROM found;
                    DELETE FROM found
                    """
                )
            }
        }
    }

    /// Uses the connection. A failure loses it: what it holds can be had from the files again.
    private func with(_ body: (Connection) throws(SQLiteDatabase.Failure) -> Void) {
        connection.withLock { connection in
            guard let open = connection else { return }
            do throws(SQLiteDatabase.Failure) {
                try body(open)
            } catch {
                connection = nil
            }
        }
    }
}
