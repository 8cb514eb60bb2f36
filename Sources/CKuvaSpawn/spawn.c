#define _GNU_SOURCE
#include "kuva_spawn.h"
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

static int describe(posix_spawn_file_actions_t *actions, const kuva_spawn_place *place) {
    const int writing = O_WRONLY | O_CREAT | O_TRUNC;
    int error = posix_spawn_file_actions_addopen(actions, STDIN_FILENO, place->input, O_RDONLY, 0);
    if (!error) error = posix_spawn_file_actions_addopen(actions, STDOUT_FILENO, place->output, writing, 0600);
    if (!error) error = posix_spawn_file_actions_addopen(actions, STDERR_FILENO, place->errors, writing, 0600);
    if (!error) error = posix_spawn_file_actions_addclosefrom_np(actions, STDERR_FILENO + 1);
    if (!error && place->folder) error = posix_spawn_file_actions_addchdir_np(actions, place->folder);
    return error;
}

int kuva_spawn(pid_t *process, const char *path, char *const *arguments, char *const *environment,
               const kuva_spawn_place *place) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    sigemptyset(&none);
    int error = posix_spawn_file_actions_init(&actions);
    if (error) return error;
    error = posix_spawnattr_init(&attributes);
    if (!error) {
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
        error = describe(&actions, place);
        if (!error) error = posix_spawn(process, path, &actions, &attributes, arguments, environment);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}
