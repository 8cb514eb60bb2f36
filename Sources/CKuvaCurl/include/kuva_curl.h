#ifndef KUVA_CURL_H
#define KUVA_CURL_H

#include <stddef.h>
#include <stdint.h>

/// Typed, return-code access to libcurl's easy and multi interfaces. Unless said otherwise a function returns 0 for
/// success and a `kuva_curl_failure` otherwise, and a handle belongs to one thread at a time.

/// What kind of failure a curl code is.
enum kuva_curl_failure {
    KUVA_CURL_OK = 0,
    KUVA_CURL_OTHER,
    KUVA_CURL_BAD_URL,
    KUVA_CURL_HOST_NOT_FOUND,
    KUVA_CURL_PROXY_NOT_FOUND,
    KUVA_CURL_CANNOT_CONNECT,
    KUVA_CURL_PROXY_FAILED,
    KUVA_CURL_TIMED_OUT,
    KUVA_CURL_TLS_HANDSHAKE,
    KUVA_CURL_TLS_UNTRUSTED,
    KUVA_CURL_TLS_LOCAL,
    KUVA_CURL_CONNECTION_LOST,
    KUVA_CURL_NO_ANSWER,
    KUVA_CURL_BAD_ANSWER,
    KUVA_CURL_BAD_ENCODING,
    KUVA_CURL_TOO_LARGE,
    KUVA_CURL_STOPPED,
    KUVA_CURL_OUT_OF_MEMORY,
};

/// One reusable transfer with its callbacks and its error text.
typedef struct kuva_curl_easy kuva_curl_easy;
/// A set of transfers that one thread drives, with its connections.
typedef struct kuva_curl_multi kuva_curl_multi;
/// Header lines of requests.
typedef struct kuva_curl_lines kuva_curl_lines;

/// The connection stands (new or used again) and the request goes out now. All callbacks come on the driving thread.
typedef void (*kuva_curl_on_connected)(void *context);
/// One header line with its end; lines of interim answers and trailers come too. Returns 0 to stop the transfer.
typedef int (*kuva_curl_on_header)(const void *line, size_t count, void *context);
/// Bytes of the body, content coding undone. Returns 0 to stop the transfer.
typedef int (*kuva_curl_on_body)(const void *bytes, size_t count, void *context);

/// Prepares the library, once for the process; any thread, any number of times.
int kuva_curl_start(void);

/// `NULL` if there is no memory.
kuva_curl_easy *kuva_curl_easy_new(void);
void kuva_curl_easy_free(kuva_curl_easy *easy);

/// Forgets everything about the last request and prepares for the next: GET, only http and https, no redirects, no
/// signals, no cookies, every content coding that the library knows. `context` comes with every callback.
int kuva_curl_easy_prepare(kuva_curl_easy *easy, kuva_curl_on_connected connected, kuva_curl_on_header header,
                           kuva_curl_on_body body, void *context);
/// The text is copied.
int kuva_curl_easy_set_url(kuva_curl_easy *easy, const char *url);
/// `lines` must live until the transfer has left its multi handle.
int kuva_curl_easy_set_headers(kuva_curl_easy *easy, const kuva_curl_lines *lines);
/// Whether a request waits for a connection that is being made to the same host, so as to share it by HTTP/2.
int kuva_curl_easy_set_waits_to_multiplex(kuva_curl_easy *easy, int waits);
/// Takes no proxy, whatever the environment says.
int kuva_curl_easy_disable_proxy(kuva_curl_easy *easy);

/// What went wrong last, in curl's words; never `NULL`, valid until the next request.
const char *kuva_curl_easy_error(const kuva_curl_easy *easy);

/// A new list from the old one (which may be `NULL`) with one more line; `NULL` if there is no memory, and the old one
/// is still the caller's then.
kuva_curl_lines *kuva_curl_lines_append(kuva_curl_lines *lines, const char *line);
void kuva_curl_lines_free(kuva_curl_lines *lines);

/// `NULL` if there is no memory. `connections` is how many idle ones are kept at most.
kuva_curl_multi *kuva_curl_multi_new(long connections);
/// No transfer may be in it.
void kuva_curl_multi_free(kuva_curl_multi *multi);
int kuva_curl_multi_add(kuva_curl_multi *multi, kuva_curl_easy *easy);
int kuva_curl_multi_remove(kuva_curl_multi *multi, kuva_curl_easy *easy);
/// Does what can be done now without waiting.
int kuva_curl_multi_perform(kuva_curl_multi *multi);
/// Waits for sockets, curl's own timers, `milliseconds` or a wake-up.
int kuva_curl_multi_poll(kuva_curl_multi *multi, int milliseconds);
/// Ends the current or else the next wait. Any thread.
int kuva_curl_multi_wakeup(kuva_curl_multi *multi);
/// Whether a transfer has ended since; it must then be removed. `context` is that of its callbacks, `failure` how it
/// ended and `code` curl's own number.
int kuva_curl_multi_next_done(kuva_curl_multi *multi, void **context, int *failure, int *code);

#endif
