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
    /// The server ended the stream of an HTTP/2 connection that stands.
    KUVA_CURL_STREAM_ENDED,
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
/// Cookies that transfers of one thread share.
typedef struct kuva_curl_jar kuva_curl_jar;

/// How a name and a password are given to a server.
enum kuva_curl_login { KUVA_CURL_LOGIN_ANY = 0, KUVA_CURL_LOGIN_BASIC, KUVA_CURL_LOGIN_DIGEST };

/// Numbers about a transfer that has ended; times are microseconds from its start.
enum kuva_curl_figure {
    KUVA_CURL_NAME_FOUND = 0,
    KUVA_CURL_CONNECTED,
    KUVA_CURL_SECURED,
    KUVA_CURL_REQUEST_SENT,
    KUVA_CURL_FIRST_BYTE,
    KUVA_CURL_TOTAL,
    KUVA_CURL_BODY_BYTES,
    KUVA_CURL_NEW_CONNECTIONS,
    /// 10, 11, 20 or 30; 0 if none was spoken.
    KUVA_CURL_PROTOCOL,
    KUVA_CURL_FIGURE_COUNT,
};

/// The connection stands (new or used again) and the request goes out now. All callbacks come on the driving thread.
typedef void (*kuva_curl_on_connected)(void *context);
/// One header line with its end; lines of interim answers and trailers come too. Returns 0 to stop the transfer.
typedef int (*kuva_curl_on_header)(const void *line, size_t count, void *context);
/// Bytes of the body, content coding undone. Returns 0 to stop the transfer.
typedef int (*kuva_curl_on_body)(const void *bytes, size_t count, void *context);

/// Prepares the library, once for the process; any thread, any number of times.
int kuva_curl_start(void);

/// The content codings that the library undoes, separated by commas.
const char *kuva_curl_codings(void);

/// `NULL` if there is no memory.
kuva_curl_easy *kuva_curl_easy_new(void);
void kuva_curl_easy_free(kuva_curl_easy *easy);

/// Forgets everything about the last request and prepares for the next: GET, only http and https, no redirects, no
/// signals, no cookies, every content coding that the library knows. `context` comes with every callback.
int kuva_curl_easy_prepare(kuva_curl_easy *easy, kuva_curl_on_connected connected, kuva_curl_on_header header,
                           kuva_curl_on_body body, void *context);
/// What to ask for; all else stays as it was for the last request. The text is copied; `lines` must live until the
/// transfer has left its multi handle.
int kuva_curl_easy_set_request(kuva_curl_easy *easy, const char *url, const kuva_curl_lines *lines);
/// Whether a request waits for a connection that is being made to the same host, so as to share it by HTTP/2.
int kuva_curl_easy_set_waits_to_multiplex(kuva_curl_easy *easy, int waits);
/// Takes no proxy, whatever the environment says.
int kuva_curl_easy_disable_proxy(kuva_curl_easy *easy);
/// Another method than GET, with a body that must live until the transfer has left its multi handle; `NULL` for none.
int kuva_curl_easy_set_method(kuva_curl_easy *easy, const char *method, const void *body, size_t count);
/// Who asks. The texts are copied.
int kuva_curl_easy_set_login(kuva_curl_easy *easy, enum kuva_curl_login login, const char *user, const char *password);
/// Trusts the certificate authorities in a PEM file besides the system's. The text is copied.
int kuva_curl_easy_set_authorities(kuva_curl_easy *easy, const char *path);
/// Takes any certificate, of whomever.
int kuva_curl_easy_trust_anyone(kuva_curl_easy *easy);
/// Speaks no HTTP/2.
int kuva_curl_easy_disable_http2(kuva_curl_easy *easy);
/// Keeps and sends cookies. The jar must live as long as the handle, or until it is prepared again.
int kuva_curl_easy_set_jar(kuva_curl_easy *easy, kuva_curl_jar *jar);
/// All figures of the last transfer.
void kuva_curl_easy_figures(const kuva_curl_easy *easy, int64_t figures[KUVA_CURL_FIGURE_COUNT]);

/// What went wrong last, in curl's words; never `NULL`, valid until the next request.
const char *kuva_curl_easy_error(const kuva_curl_easy *easy);

/// A new list from the old one (which may be `NULL`) with one more line; `NULL` if there is no memory, and the old one
/// is still the caller's then.
kuva_curl_lines *kuva_curl_lines_append(kuva_curl_lines *lines, const char *line);
void kuva_curl_lines_free(kuva_curl_lines *lines);

/// `NULL` if there is no memory. One thread.
kuva_curl_jar *kuva_curl_jar_new(void);
/// No handle may use it.
void kuva_curl_jar_free(kuva_curl_jar *jar);

/// `NULL` if there is no memory. `connections` is how many idle ones are kept at most.
kuva_curl_multi *kuva_curl_multi_new(long connections);
/// No transfer may be in it.
void kuva_curl_multi_free(kuva_curl_multi *multi);
/// How many idle connections are kept at most from now on.
void kuva_curl_multi_set_connections(kuva_curl_multi *multi, long connections);
int kuva_curl_multi_add(kuva_curl_multi *multi, kuva_curl_easy *easy);
int kuva_curl_multi_remove(kuva_curl_multi *multi, kuva_curl_easy *easy);
/// Sets going what was added, without waiting.
int kuva_curl_multi_perform(kuva_curl_multi *multi);
/// Waits for sockets, curl's own timers, `milliseconds` or a wake-up, and does what can be done then.
int kuva_curl_multi_poll(kuva_curl_multi *multi, int milliseconds);
/// Ends the current or else the next wait. Any thread.
int kuva_curl_multi_wakeup(kuva_curl_multi *multi);
/// Whether a transfer has ended since; it must then be removed. `context` is that of its callbacks, `failure` how it
/// ended and `code` curl's own number.
int kuva_curl_multi_next_done(kuva_curl_multi *multi, void **context, int *failure, int *code);

#endif
