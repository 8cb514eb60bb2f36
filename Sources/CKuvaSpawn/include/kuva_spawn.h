#ifndef KUVA_SPAWN_H
#define KUVA_SPAWN_H
#include <sys/types.h>

/// Where a program starts and what its standard descriptors are: paths of files, of which the last two are made anew.
typedef struct {
    /// `NULL` for where the caller stands.
    const char *folder;
    const char *input;
    const char *output;
    const char *errors;
} kuva_spawn_place;

/// Starts a program in a process group of its own, with no signal blocked and the standard descriptors only. Both lists
/// end with `NULL`. Returns 0, or an errno.
int kuva_spawn(pid_t *process, const char *path, char *const *arguments, char *const *environment,
               const kuva_spawn_place *place);

#endif
