#include "bare_caches.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int bare_file_store(const char *temporary, const char *path, const void *bytes, size_t length) {
    int file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) return -1;
    int failed = write(file, bytes, length) != (ssize_t)length;
    if (close(file)) failed = 1;
    return failed || rename(temporary, path) ? -1 : 0;
}

long bare_file_read(const char *path, void *buffer, size_t capacity) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return -1;
    ssize_t count = read(file, buffer, capacity);
    close(file);
    return count;
}

struct bare_blobs {
    sqlite3 *database;
    sqlite3_stmt *store, *read;
};

bare_blobs *bare_blobs_open(const char *path) {
    bare_blobs *blobs = calloc(1, sizeof *blobs);
    if (!blobs) return NULL;
    if (sqlite3_open(path, &blobs->database) ||
        sqlite3_exec(blobs->database,
                     "PRAGMA synchronous = OFF; PRAGMA journal_mode = WAL;"
                     "CREATE TABLE IF NOT EXISTS blobs (key TEXT PRIMARY KEY, body BLOB NOT NULL)",
                     NULL, NULL, NULL) ||
        sqlite3_prepare_v2(blobs->database, "INSERT OR REPLACE INTO blobs VALUES (?1, ?2)", -1, &blobs->store, NULL) ||
        sqlite3_prepare_v2(blobs->database, "SELECT body FROM blobs WHERE key = ?1", -1, &blobs->read, NULL)) {
        bare_blobs_close(blobs);
        return NULL;
    }
    return blobs;
}

void bare_blobs_close(bare_blobs *blobs) {
    if (!blobs) return;
    sqlite3_finalize(blobs->store);
    sqlite3_finalize(blobs->read);
    sqlite3_close(blobs->database);
    free(blobs);
}

int bare_blobs_store(bare_blobs *blobs, const char *key, const void *bytes, size_t length) {
    sqlite3_bind_text(blobs->store, 1, key, -1, SQLITE_STATIC);
    sqlite3_bind_blob(blobs->store, 2, bytes, (int)length, SQLITE_STATIC);
    int status = sqlite3_step(blobs->store);
    sqlite3_reset(blobs->store);
    return status == SQLITE_DONE ? 0 : -1;
}

long bare_blobs_read(bare_blobs *blobs, const char *key, void *buffer, size_t capacity) {
    sqlite3_bind_text(blobs->read, 1, key, -1, SQLITE_STATIC);
    long count = -1;
    if (sqlite3_step(blobs->read) == SQLITE_ROW) {
        count = sqlite3_column_bytes(blobs->read, 0);
        if ((size_t)count <= capacity) memcpy(buffer, sqlite3_column_blob(blobs->read, 0), (size_t)count);
    }
    sqlite3_reset(blobs->read);
    return count;
}
