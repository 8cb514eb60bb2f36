#ifndef KUVA_SQLITE_H
#define KUVA_SQLITE_H
#include <stddef.h>
#include <stdint.h>

// A thin layer over SQLite without varargs and macros. One thread at a time uses a database and its statements.
// Functions that return an int give SQLite's primary result code: 0 for success.

typedef struct kuva_sqlite kuva_sqlite;
typedef struct kuva_sqlite_statement kuva_sqlite_statement;

enum { KUVA_SQLITE_OK = 0, KUVA_SQLITE_ROW = 100, KUVA_SQLITE_DONE = 101 };

/// Opens or makes a database; waits up to `wait_ms` for other processes. `*database` is NULL after a failure.
int kuva_sqlite_open(const char *path, int wait_ms, kuva_sqlite **database);
void kuva_sqlite_close(kuva_sqlite *database);

/// Runs statements without parameters; rows are dropped.
int kuva_sqlite_run(kuva_sqlite *database, const char *sql);

/// Compiles one statement. `*statement` is NULL after a failure.
int kuva_sqlite_prepare(kuva_sqlite *database, const char *sql, kuva_sqlite_statement **statement);
void kuva_sqlite_finalize(kuva_sqlite_statement *statement);

/// Parameters count from 1. The blob is copied.
int kuva_sqlite_bind_int64(kuva_sqlite_statement *statement, int index, int64_t value);
int kuva_sqlite_bind_blob(kuva_sqlite_statement *statement, int index, const void *bytes, size_t length);

/// KUVA_SQLITE_ROW, KUVA_SQLITE_DONE or an error.
int kuva_sqlite_step(kuva_sqlite_statement *statement);
/// Makes the statement ready to run again; parameters stay.
int kuva_sqlite_reset(kuva_sqlite_statement *statement);

/// Columns count from 0.
int64_t kuva_sqlite_column_int64(kuva_sqlite_statement *statement, int column);
/// Copies at most `capacity` bytes of a blob and returns its length.
size_t kuva_sqlite_column_blob(kuva_sqlite_statement *statement, int column, void *buffer, size_t capacity);

#endif
