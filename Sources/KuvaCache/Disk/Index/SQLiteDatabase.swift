internal import CKuvaSQLite

/// A SQLite database and its compiled statements. One thread at a time may use it.
final class SQLiteDatabase {
    /// SQLite's primary result code.
    struct Failure: Error {
        let code: Int32
    }

    private var handle: OpaquePointer?

    /// Opens or makes a database; `:memory:` for one that only this object sees.
    init(path: String) throws(Failure) {
        try Self.check(kuva_sqlite_open(path, 30_000, &handle))
    }

    deinit { kuva_sqlite_close(handle) }

    /// Runs statements without parameters.
    func run(_ sql: String) throws(Failure) { try Self.check(kuva_sqlite_run(handle, sql)) }

    /// Runs `body` as one change: all of it or nothing.
    func transaction(_ body: () throws(Failure) -> Void) throws(Failure) {
        try run("BEGIN IMMEDIATE")
        do throws(Failure) {
            try body()
            try run("COMMIT")
        } catch {
            try? run("ROLLBACK")
            throw error
        }
    }

    /// A compiled statement. It must not outlive its database by use; SQLite itself keeps the two in order.
    func prepare(_ sql: String) throws(Failure) -> Statement {
        var statement: OpaquePointer?
        try Self.check(kuva_sqlite_prepare(handle, sql, &statement))
        return Statement(statement)
    }

    fileprivate static func check(_ code: Int32) throws(Failure) {
        if code != 0 { throw Failure(code: code) }
    }

    /// A statement that can be run again and again.
    final class Statement {
        private let handle: OpaquePointer?

        fileprivate init(_ handle: OpaquePointer?) { self.handle = handle }

        deinit { kuva_sqlite_finalize(handle) }

        /// Parameters count from 1.
        func bind(_ index: Int32, _ value: Int64) throws(Failure) {
            try check(kuva_sqlite_bind_int64(handle, index, value))
        }

        func bind(_ index: Int32, _ name: EntryName) throws(Failure) {
            let code = name.withBytes { kuva_sqlite_bind_blob(handle, index, $0.baseAddress, $0.count) }
            try check(code)
        }

        /// Runs the statement and calls `row` for each row, then makes it ready to run again.
        func run(_ row: () -> Void = {}) throws(Failure) {
            defer { kuva_sqlite_reset(handle) }
            while true {
                switch kuva_sqlite_step(handle) {
                case 100: row()
                case 101: return
                case let code: throw Failure(code: code)
                }
            }
        }

        /// Columns count from 0.
        func int64(_ column: Int32) -> Int64 { kuva_sqlite_column_int64(handle, column) }

        /// The name in a column; `nil` if it is none.
        func name(_ column: Int32) -> EntryName? {
            var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
            let length = withUnsafeMutableBytes(of: &words) {
                kuva_sqlite_column_blob(handle, column, $0.baseAddress, $0.count)
            }
            guard length == 32 else { return nil }
            return EntryName(
                original: Hash128(high: words.0, low: words.1),
                variant: Hash128(high: words.2, low: words.3)
            )
        }
    }
}

extension EntryName {
    fileprivate func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        withUnsafeBytes(of: (original.high, original.low, variant.high, variant.low), body)
    }
}
