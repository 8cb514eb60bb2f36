#ifndef KUVA_FILES_H
#define KUVA_FILES_H
#include <stddef.h>
#include <stdint.h>

// System calls of Linux that Swift does not see, and numbers in memory that processes share.
// Functions that return an int give 0 or a value of errno.

/// Renames, but never over a file that is there: EEXIST then. EINVAL where the file system cannot promise that.
/// Paths that do not begin with a slash are looked for in the open folders (renameat2(2)).
int kuva_files_rename_new(int from_folder, const char *from, int to_folder, const char *to);

/// Locks one byte of a file against other open files of it, in this process or others (fcntl(2), open file
/// description locks). Without `waits`, EAGAIN or EACCES if it is not free.
int kuva_files_lock_byte(int file, int64_t byte, int waits);
int kuva_files_unlock_byte(int file, int64_t byte);

/// Lets the calling thread give way to all others.
void kuva_files_lower_thread(void);

/// Numbers at addresses that are multiples of 8.
static inline int64_t kuva_files_load(const int64_t *number) { return __atomic_load_n(number, __ATOMIC_ACQUIRE); }
static inline void kuva_files_store(int64_t *number, int64_t value) {
    __atomic_store_n(number, value, __ATOMIC_RELEASE);
}
static inline int64_t kuva_files_add(int64_t *number, int64_t value) {
    return __atomic_add_fetch(number, value, __ATOMIC_ACQ_REL);
}

#endif
