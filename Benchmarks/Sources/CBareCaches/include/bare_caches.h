#ifndef BARE_CACHES_H
#define BARE_CACHES_H
#include <stddef.h>
#include <stdint.h>

// The rivals `bare-files` and `sqlite-blobs`. Functions give 0, or -1 after a failure.

/// Writes a file through a temporary one and a rename.
int bare_file_store(const char *temporary, const char *path, const void *bytes, size_t length);
/// Opens, reads and closes a file into `buffer`; gives its length, or -1.
long bare_file_read(const char *path, void *buffer, size_t capacity);

typedef struct bare_blobs bare_blobs;
/// A table of blobs in a database with a write-ahead log that is not synchronised.
bare_blobs *bare_blobs_open(const char *path);
void bare_blobs_close(bare_blobs *blobs);
int bare_blobs_store(bare_blobs *blobs, const char *key, const void *bytes, size_t length);
long bare_blobs_read(bare_blobs *blobs, const char *key, void *buffer, size_t capacity);

#endif
