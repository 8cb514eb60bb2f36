#include "kuva_sqlite.h"

#include <limits.h>
#include <sqlite3.h>
#include <string.h>

static sqlite3 *database_of(kuva_sqlite *database) { return (sqlite3 *)database; }
static sqlite3_stmt *statement_of(kuva_sqlite_statement *statement) { return (sqlite3_stmt *)statement; }

int kuva_sqlite_open(const char *path, int wait_ms, kuva_sqlite **database) {
    sqlite3 *opened = NULL;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW;
    int status = sqlite3_open_v2(path, &opened, flags, NULL);
    if (status == SQLITE_OK) status = sqlite3_busy_timeout(opened, wait_ms);
    if (status != SQLITE_OK) {
        sqlite3_close(opened);
        opened = NULL;
    }
    *database = (kuva_sqlite *)opened;
    return status & 0xff;
}

void kuva_sqlite_close(kuva_sqlite *database) { sqlite3_close_v2(database_of(database)); }

int kuva_sqlite_run(kuva_sqlite *database, const char *sql) {
    return sqlite3_exec(database_of(database), sql, NULL, NULL, NULL) & 0xff;
}

int kuva_sqlite_prepare(kuva_sqlite *database, const char *sql, kuva_sqlite_statement **statement) {
    sqlite3_stmt *made = NULL;
    int status = sqlite3_prepare_v3(database_of(database), sql, -1, SQLITE_PREPARE_PERSISTENT, &made, NULL);
    *statement = (kuva_sqlite_statement *)made;
    return status & 0xff;
}

void kuva_sqlite_finalize(kuva_sqlite_statement *statement) { sqlite3_finalize(statement_of(statement)); }

int kuva_sqlite_bind_int64(kuva_sqlite_statement *statement, int index, int64_t value) {
    return sqlite3_bind_int64(statement_of(statement), index, value) & 0xff;
}

int kuva_sqlite_bind_blob(kuva_sqlite_statement *statement, int index, const void *bytes, size_t length) {
    if (length > INT_MAX) return SQLITE_TOOBIG;
    return sqlite3_bind_blob(statement_of(statement), index, bytes, (int)length, SQLITE_TRANSIENT) & 0xff;
}

int kuva_sqlite_step(kuva_sqlite_statement *statement) { return sqlite3_step(statement_of(statement)) & 0xff; }
int kuva_sqlite_reset(kuva_sqlite_statement *statement) { return sqlite3_reset(statement_of(statement)) & 0xff; }

int64_t kuva_sqlite_column_int64(kuva_sqlite_statement *statement, int column) {
    return sqlite3_column_int64(statement_of(statement), column);
}

size_t kuva_sqlite_column_blob(kuva_sqlite_statement *statement, int column, void *buffer, size_t capacity) {
    const void *bytes = sqlite3_column_blob(statement_of(statement), column);
    int length = sqlite3_column_bytes(statement_of(statement), column);
    if (!bytes || length <= 0) return 0;
    memcpy(buffer, bytes, (size_t)length < capacity ? (size_t)length : capacity);
    return (size_t)length;
}
