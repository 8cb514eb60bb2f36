#define _GNU_SOURCE
#include "kuva_pdf.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/pidfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

struct kuva_pdf {
    pid_t process;
    /// A socket, so that writing to a program that has ended raises no signal; -1 once all is written.
    int input;
    int output;
    size_t written;
    int has_ended;
};

static void close_pair(const int pair[2]) {
    close(pair[0]);
    close(pair[1]);
}

static int spawn(pid_t *process, char *const *arguments, int input, int output) {
    char path[4096];
    const char *found = getenv("PATH");
    snprintf(path, sizeof path, "PATH=%s", found ? found : "/usr/bin:/bin");
    char *environment[] = {path, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int error = posix_spawn_file_actions_init(&actions);
    if (error) return error;
    error = posix_spawnattr_init(&attributes);
    if (!error) {
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setsigdefault(&attributes, &all);
        posix_spawnattr_setflags(&attributes,
                                 POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
        error = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
        if (!error) error = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
        if (!error) error = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
        if (!error) error = posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
        if (!error) error = posix_spawn_file_actions_addchdir_np(&actions, "/");
        if (!error) error = posix_spawnp(process, arguments[0], &actions, &attributes, arguments, environment);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

static int limit(pid_t process, int resource, uint64_t value) {
    struct rlimit bound = {value, value};
    return prlimit(process, (enum __rlimit_resource)resource, &bound, NULL);
}

static int confine(pid_t process, kuva_pdf_limits limits) {
    return limit(process, RLIMIT_AS, limits.memory_bytes) || limit(process, RLIMIT_CPU, limits.cpu_seconds) ||
           limit(process, RLIMIT_FSIZE, 0) || limit(process, RLIMIT_CORE, 0);
}

static int start(kuva_pdf *pdf, char *const *arguments, kuva_pdf_limits limits) {
    int input[2], output[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, input) != 0) return errno;
    if (pipe2(output, O_CLOEXEC) != 0) {
        int error = errno;
        close_pair(input);
        return error;
    }
    int error = spawn(&pdf->process, arguments, input[1], output[1]);
    close(input[1]);
    close(output[1]);
    pdf->input = input[0];
    pdf->output = output[0];
    if (error) {
        close(input[0]);
        close(output[0]);
        return error;
    }
    fcntl(input[0], F_SETFL, O_NONBLOCK);
    fcntl(output[0], F_SETFL, O_NONBLOCK);
    if (confine(pdf->process, limits) == 0) return 0;
    // One that has ended by itself is past all limits; what it had to say is read.
    return errno == ESRCH ? 0 : errno;
}

kuva_pdf *kuva_pdf_start(char *const *arguments, kuva_pdf_limits limits, int *error) {
    kuva_pdf *pdf = calloc(1, sizeof *pdf);
    *error = pdf ? start(pdf, arguments, limits) : ENOMEM;
    if (*error == 0) return pdf;
    if (pdf && pdf->process > 0) kuva_pdf_end(pdf);
    else free(pdf);
    return NULL;
}

static void end_input(kuva_pdf *pdf) {
    close(pdf->input);
    pdf->input = -1;
}

int64_t kuva_pdf_exchange(kuva_pdf *pdf, const uint8_t *file, size_t count, uint8_t *answer, size_t capacity,
                          int milliseconds) {
    struct pollfd places[2] = {{pdf->output, POLLIN, 0}, {pdf->input, POLLOUT, 0}};
    if (poll(places, pdf->input < 0 ? 1 : 2, milliseconds) < 0) return errno == EINTR ? KUVA_PDF_WAITING : KUVA_PDF_FAILED;
    if (pdf->input >= 0 && places[1].revents) {
        ssize_t sent = send(pdf->input, file + pdf->written, count - pdf->written, MSG_NOSIGNAL);
        if (sent > 0) pdf->written += (size_t)sent;
        // A program that wants no more may still answer.
        int is_closed = sent < 0 && errno != EAGAIN && errno != EINTR;
        if (pdf->written == count || is_closed) end_input(pdf);
    }
    if (!places[0].revents) return KUVA_PDF_WAITING;
    ssize_t got = read(pdf->output, answer, capacity);
    if (got > 0) return got;
    if (got < 0) return errno == EAGAIN || errno == EINTR ? KUVA_PDF_WAITING : KUVA_PDF_FAILED;
    pdf->has_ended = 1;
    return KUVA_PDF_ENDED;
}

// Whether it ends within a second by itself.
static int ends_soon(pid_t process, int *status) {
    int descriptor = pidfd_open(process, 0);
    if (descriptor < 0) return 0;
    struct pollfd place = {descriptor, POLLIN, 0};
    int count;
    do count = poll(&place, 1, 1000);
    while (count < 0 && errno == EINTR);
    close(descriptor);
    return count > 0 && waitpid(process, status, WNOHANG) == process;
}

kuva_pdf_outcome kuva_pdf_end(kuva_pdf *pdf) {
    int status = -1;
    if (pdf->input >= 0) close(pdf->input);
    close(pdf->output);
    if (!pdf->has_ended || !ends_soon(pdf->process, &status)) {
        // The group, so that nothing that it started goes on.
        kill(-pdf->process, SIGKILL);
        while (waitpid(pdf->process, &status, 0) < 0 && errno == EINTR) {}
    }
    free(pdf);
    if (!WIFEXITED(status)) return KUVA_PDF_WAS_STOPPED;
    return WEXITSTATUS(status) == 0 ? KUVA_PDF_WENT_WELL : KUVA_PDF_WENT_WRONG;
}
