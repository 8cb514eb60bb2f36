#define _GNU_SOURCE
#include "kuva_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

int kuva_files_rename_new(int from_folder, const char *from, int to_folder, const char *to) {
    return renameat2(from_folder, from, to_folder, to, RENAME_NOREPLACE) ? errno : 0;
}

static int set_lock(int file, int command, short type, int64_t byte) {
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
    while (fcntl(file, command, &lock)) {
        if (errno != EINTR) return errno;
    }
    return 0;
}

int kuva_files_lock_byte(int file, int64_t byte, int waits) {
    return set_lock(file, waits ? F_OFD_SETLKW : F_OFD_SETLK, F_WRLCK, byte);
}

int kuva_files_unlock_byte(int file, int64_t byte) { return set_lock(file, F_OFD_SETLK, F_UNLCK, byte); }

void kuva_files_lower_thread(void) { setpriority(PRIO_PROCESS, 0, 10); }
