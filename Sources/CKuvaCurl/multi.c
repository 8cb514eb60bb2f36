#define _GNU_SOURCE

#include "curl_internal.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// curl's event interface over epoll. Its simpler `curl_multi_perform` with `curl_multi_poll` looks at every transfer
// and polls every socket on every turn; this looks only at those to which something has happened.

/// What is known about the socket with a certain number.
struct watch {
    /// What epoll tells of; 0 if epoll does not know the socket.
    uint32_t events;
    /// Whether curl wants to be told of anything now.
    char is_wanted;
    /// Whether we opened it and are told before it closes. Only then epoll may go on knowing it while curl does not
    /// want it, which spares two calls for each transfer on a connection that is used again: the number of any other
    /// socket may stand for a new one without notice.
    char is_ours;
};

struct kuva_curl_multi {
    CURLM *curl;
    int epoll;
    int wakeup;
    /// When curl's next timer is due, in milliseconds; -1 for never.
    int64_t due;
    struct watch *watches;
    size_t count;
};

enum { batch = 64 };

static int failure_of(CURLMcode code) {
    switch (code) {
    case CURLM_OK: return KUVA_CURL_OK;
    case CURLM_OUT_OF_MEMORY: return KUVA_CURL_OUT_OF_MEMORY;
    default: return KUVA_CURL_OTHER;
    }
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

// MARK: What curl tells

static struct watch *watch_of(kuva_curl_multi *multi, curl_socket_t socket) {
    size_t number = (size_t)socket;
    if (number >= multi->count) {
        size_t count = number < 64 ? 128 : number * 2;
        struct watch *watches = realloc(multi->watches, count * sizeof *watches);
        if (!watches) return NULL;
        memset(watches + multi->count, 0, (count - multi->count) * sizeof *watches);
        multi->watches = watches;
        multi->count = count;
    }
    return &multi->watches[number];
}

static void forget(kuva_curl_multi *multi, struct watch *watch, int socket) {
    if (watch->events) epoll_ctl(multi->epoll, EPOLL_CTL_DEL, socket, NULL);
    watch->events = 0;
    watch->is_wanted = 0;
}

static int on_interest(CURL *curl, curl_socket_t socket, int what, void *raw, void *unused) {
    (void)curl, (void)unused;
    kuva_curl_multi *multi = raw;
    struct watch *watch = watch_of(multi, socket);
    if (!watch) return -1;
    if (what == CURL_POLL_REMOVE) {
        watch->is_wanted = 0;
        if (!watch->is_ours) forget(multi, watch, socket);
        return 0;
    }
    struct epoll_event event = {
        .events = (what & CURL_POLL_IN ? EPOLLIN : 0) | (what & CURL_POLL_OUT ? EPOLLOUT : 0),
        .data.fd = socket,
    };
    watch->is_wanted = 1;
    if (watch->events == event.events) return 0;
    if (epoll_ctl(multi->epoll, watch->events ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, socket, &event) != 0) return -1;
    watch->events = event.events;
    return 0;
}

static int on_timer(CURLM *curl, long milliseconds, void *raw) {
    (void)curl;
    kuva_curl_multi *multi = raw;
    multi->due = milliseconds < 0 ? -1 : milliseconds == 0 ? 0 : now() + milliseconds;
    return 0;
}

static curl_socket_t on_open(void *raw, curlsocktype purpose, struct curl_sockaddr *address) {
    (void)purpose;
    kuva_curl_multi *multi = raw;
    int descriptor = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
    if (descriptor < 0) return CURL_SOCKET_BAD;
    struct watch *watch = watch_of(multi, descriptor);
    // Without memory the socket is treated as one of unknown origin.
    if (watch) *watch = (struct watch){.is_ours = 1};
    return descriptor;
}

static int on_close(void *raw, curl_socket_t socket) {
    kuva_curl_multi *multi = raw;
    // Closing takes it out of epoll as well; no other descriptor stands for it.
    if ((size_t)socket < multi->count) multi->watches[socket] = (struct watch){0};
    return close(socket);
}

static CURLcode watch_sockets(kuva_curl_multi *multi, CURL *curl) {
    CURLcode code = curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, on_open);
    if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_OPENSOCKETDATA, multi);
    if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_CLOSESOCKETFUNCTION, on_close);
    if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_CLOSESOCKETDATA, multi);
    return code;
}

// MARK: What we do

kuva_curl_multi *kuva_curl_multi_new(long connections) {
    kuva_curl_multi *multi = calloc(1, sizeof *multi);
    if (!multi) return NULL;
    multi->due = -1;
    multi->epoll = epoll_create1(EPOLL_CLOEXEC);
    multi->wakeup = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    multi->curl = curl_multi_init();
    // Edge-triggered: every wake-up is an event, and nobody has to read the counter.
    struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.fd = multi->wakeup};
    if (multi->epoll < 0 || multi->wakeup < 0 || !multi->curl
        || epoll_ctl(multi->epoll, EPOLL_CTL_ADD, multi->wakeup, &event) != 0) {
        kuva_curl_multi_free(multi);
        return NULL;
    }
    curl_multi_setopt(multi->curl, CURLMOPT_MAXCONNECTS, connections);
    curl_multi_setopt(multi->curl, CURLMOPT_PIPELINING, (long)CURLPIPE_MULTIPLEX);
    curl_multi_setopt(multi->curl, CURLMOPT_SOCKETFUNCTION, on_interest);
    curl_multi_setopt(multi->curl, CURLMOPT_SOCKETDATA, multi);
    curl_multi_setopt(multi->curl, CURLMOPT_TIMERFUNCTION, on_timer);
    curl_multi_setopt(multi->curl, CURLMOPT_TIMERDATA, multi);
    return multi;
}

void kuva_curl_multi_free(kuva_curl_multi *multi) {
    // Closes connections, which still tell us so.
    if (multi->curl) curl_multi_cleanup(multi->curl);
    if (multi->epoll >= 0) close(multi->epoll);
    if (multi->wakeup >= 0) close(multi->wakeup);
    free(multi->watches);
    free(multi);
}

void kuva_curl_multi_set_connections(kuva_curl_multi *multi, long connections) {
    curl_multi_setopt(multi->curl, CURLMOPT_MAXCONNECTS, connections);
}

int kuva_curl_multi_add(kuva_curl_multi *multi, kuva_curl_easy *easy) {
    if (watch_sockets(multi, easy->curl) != CURLE_OK) return KUVA_CURL_OUT_OF_MEMORY;
    return failure_of(curl_multi_add_handle(multi->curl, easy->curl));
}

int kuva_curl_multi_remove(kuva_curl_multi *multi, kuva_curl_easy *easy) {
    return failure_of(curl_multi_remove_handle(multi->curl, easy->curl));
}

static CURLMcode run_timers(kuva_curl_multi *multi) {
    int running = 0;
    multi->due = -1;
    return curl_multi_socket_action(multi->curl, CURL_SOCKET_TIMEOUT, 0, &running);
}

int kuva_curl_multi_perform(kuva_curl_multi *multi) {
    // Those that are due at once: what was added, above all.
    return multi->due == 0 ? failure_of(run_timers(multi)) : KUVA_CURL_OK;
}

static CURLMcode run_socket(kuva_curl_multi *multi, const struct epoll_event *event) {
    int socket = event->data.fd;
    if (socket == multi->wakeup) return CURLM_OK;
    if ((size_t)socket >= multi->count) return CURLM_OK;
    struct watch *watch = &multi->watches[socket];
    if (!watch->is_wanted) {
        forget(multi, watch, socket);
        return CURLM_OK;
    }
    int running = 0;
    int what = (event->events & EPOLLIN ? CURL_CSELECT_IN : 0) | (event->events & EPOLLOUT ? CURL_CSELECT_OUT : 0)
               | (event->events & (EPOLLERR | EPOLLHUP) ? CURL_CSELECT_ERR : 0);
    return curl_multi_socket_action(multi->curl, socket, what, &running);
}

int kuva_curl_multi_poll(kuva_curl_multi *multi, int milliseconds) {
    int64_t wait = milliseconds;
    if (multi->due >= 0) {
        int64_t left = multi->due == 0 ? 0 : multi->due - now();
        if (left < wait) wait = left < 0 ? 0 : left;
    }
    struct epoll_event events[batch];
    int count = epoll_wait(multi->epoll, events, batch, wait > INT_MAX ? INT_MAX : (int)wait);
    if (count < 0) return errno == EINTR ? KUVA_CURL_OK : KUVA_CURL_OTHER;
    CURLMcode code = CURLM_OK;
    for (int i = 0; i < count && code == CURLM_OK; i++) code = run_socket(multi, &events[i]);
    if (code == CURLM_OK && multi->due >= 0 && (multi->due == 0 || multi->due <= now())) code = run_timers(multi);
    return failure_of(code);
}

int kuva_curl_multi_wakeup(kuva_curl_multi *multi) {
    uint64_t one = 1;
    return write(multi->wakeup, &one, sizeof one) == sizeof one ? KUVA_CURL_OK : KUVA_CURL_OTHER;
}

// How a transfer failed; curl itself calls it a broken connection when a proxy makes no tunnel.
static int failure_of_transfer(CURL *curl, CURLcode result) {
    long tunnel = 0;
    if (result == CURLE_RECV_ERROR && curl_easy_getinfo(curl, CURLINFO_HTTP_CONNECTCODE, &tunnel) == CURLE_OK
        && tunnel >= 300)
        return KUVA_CURL_PROXY_FAILED;
    return kuva_curl_failure_of(result);
}

int kuva_curl_multi_next_done(kuva_curl_multi *multi, void **context, int *failure, int *code) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi->curl, &left))) {
        if (message->msg != CURLMSG_DONE) continue;
        kuva_curl_easy *easy = NULL;
        CURLcode result = message->data.result;
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&easy);
        *context = easy->context;
        *code = (int)result;
        *failure = failure_of_transfer(message->easy_handle, result);
        return 1;
    }
    return 0;
}
