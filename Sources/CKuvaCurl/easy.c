#include "curl_internal.h"

#include <stdlib.h>
#include <string.h>

int kuva_curl_start(void) { return kuva_curl_failure_of(curl_global_init(CURL_GLOBAL_DEFAULT)); }

int kuva_curl_failure_of(int code) {
    switch (code) {
    case CURLE_OK: return KUVA_CURL_OK;
    case CURLE_URL_MALFORMAT: return KUVA_CURL_BAD_URL;
    case CURLE_COULDNT_RESOLVE_HOST: return KUVA_CURL_HOST_NOT_FOUND;
    case CURLE_COULDNT_RESOLVE_PROXY: return KUVA_CURL_PROXY_NOT_FOUND;
    case CURLE_COULDNT_CONNECT: return KUVA_CURL_CANNOT_CONNECT;
    case CURLE_PROXY: return KUVA_CURL_PROXY_FAILED;
    case CURLE_OPERATION_TIMEDOUT: return KUVA_CURL_TIMED_OUT;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CIPHER:
    case CURLE_USE_SSL_FAILED:
    case CURLE_SSL_SHUTDOWN_FAILED: return KUVA_CURL_TLS_HANDSHAKE;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
    case CURLE_SSL_INVALIDCERTSTATUS: return KUVA_CURL_TLS_UNTRUSTED;
    case CURLE_SSL_ENGINE_NOTFOUND:
    case CURLE_SSL_ENGINE_SETFAILED:
    case CURLE_SSL_ENGINE_INITFAILED:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CLIENTCERT:
    case CURLE_SSL_CRL_BADFILE:
    case CURLE_SSL_CACERT_BADFILE: return KUVA_CURL_TLS_LOCAL;
    case CURLE_PARTIAL_FILE:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_HTTP2: return KUVA_CURL_CONNECTION_LOST;
    case CURLE_HTTP2_STREAM: return KUVA_CURL_STREAM_ENDED;
    case CURLE_GOT_NOTHING: return KUVA_CURL_NO_ANSWER;
    // We ask for http and https only, so it is the answer whose protocol is unknown (HTTP/0.9, say).
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_WEIRD_SERVER_REPLY: return KUVA_CURL_BAD_ANSWER;
    case CURLE_BAD_CONTENT_ENCODING: return KUVA_CURL_BAD_ENCODING;
    case CURLE_FILESIZE_EXCEEDED: return KUVA_CURL_TOO_LARGE;
    case CURLE_WRITE_ERROR:
    case CURLE_ABORTED_BY_CALLBACK: return KUVA_CURL_STOPPED;
    case CURLE_OUT_OF_MEMORY: return KUVA_CURL_OUT_OF_MEMORY;
    default: return KUVA_CURL_OTHER;
    }
}

const char *kuva_curl_codings(void) {
    static const char *const names[] = {
        "identity", "gzip", "br", "gzip, br", "zstd", "gzip, zstd", "br, zstd", "gzip, br, zstd",
    };
    int features = curl_version_info(CURLVERSION_NOW)->features;
    return names[(features & CURL_VERSION_LIBZ ? 1 : 0) | (features & CURL_VERSION_BROTLI ? 2 : 0)
                 | (features & CURL_VERSION_ZSTD ? 4 : 0)];
}

kuva_curl_easy *kuva_curl_easy_new(void) {
    kuva_curl_easy *easy = calloc(1, sizeof *easy);
    if (!easy) return NULL;
    easy->curl = curl_easy_init();
    if (!easy->curl) {
        free(easy);
        return NULL;
    }
    return easy;
}

void kuva_curl_easy_free(kuva_curl_easy *easy) {
    curl_easy_cleanup(easy->curl);
    free(easy);
}

static int on_connected(void *raw, char *remote, char *local, int remote_port, int local_port) {
    (void)remote, (void)local, (void)remote_port, (void)local_port;
    kuva_curl_easy *easy = raw;
    easy->connected(easy->context);
    return CURL_PREREQFUNC_OK;
}

static size_t on_header(char *line, size_t size, size_t count, void *raw) {
    kuva_curl_easy *easy = raw;
    return easy->header(line, size * count, easy->context) ? size * count : 0;
}

static size_t on_body(char *bytes, size_t size, size_t count, void *raw) {
    kuva_curl_easy *easy = raw;
    if (size * count == 0) return 0;
    return easy->body(bytes, size * count, easy->context) ? size * count : 0;
}

#define SET(option, value)                                              \
    do {                                                                \
        CURLcode code = curl_easy_setopt(easy->curl, (option), (value)); \
        if (code != CURLE_OK) return kuva_curl_failure_of(code);        \
    } while (0)

int kuva_curl_easy_prepare(kuva_curl_easy *easy, kuva_curl_on_connected connected, kuva_curl_on_header header,
                           kuva_curl_on_body body, void *context) {
    curl_easy_reset(easy->curl);
    easy->connected = connected;
    easy->header = header;
    easy->body = body;
    easy->context = context;
    // What a reset leaves: the share and, in it, the cookies.
    SET(CURLOPT_SHARE, NULL);
    SET(CURLOPT_PRIVATE, (void *)easy);
    SET(CURLOPT_ERRORBUFFER, easy->error);
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_PROTOCOLS_STR, "http,https");
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    SET(CURLOPT_HTTPGET, 1L);
    SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
    SET(CURLOPT_ACCEPT_ENCODING, "");
    // Small enough for the buffers of many transfers to stay in the processor's cache, and for malloc not to map fresh
    // pages: curl takes the buffer anew for every transfer. It keeps the buffer of a transfer that never got a connection,
    // or that left an HTTP/2 one, and then refuses to hear its size again. Every use asks for the same size, so a
    // refusal means that the buffer is there.
    (void)curl_easy_setopt(easy->curl, CURLOPT_BUFFERSIZE, 32L * 1024);
    SET(CURLOPT_NOPROGRESS, 1L);
    SET(CURLOPT_PREREQFUNCTION, on_connected);
    SET(CURLOPT_PREREQDATA, (void *)easy);
    SET(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    SET(CURLOPT_HEADERFUNCTION, on_header);
    SET(CURLOPT_HEADERDATA, (void *)easy);
    SET(CURLOPT_WRITEFUNCTION, on_body);
    SET(CURLOPT_WRITEDATA, (void *)easy);
    return KUVA_CURL_OK;
}

int kuva_curl_easy_set_request(kuva_curl_easy *easy, const char *url, const kuva_curl_lines *lines) {
    easy->error[0] = 0;
    SET(CURLOPT_URL, url);
    SET(CURLOPT_HTTPHEADER, (struct curl_slist *)lines);
    return KUVA_CURL_OK;
}

int kuva_curl_easy_set_waits_to_multiplex(kuva_curl_easy *easy, int waits) {
    SET(CURLOPT_PIPEWAIT, waits ? 1L : 0L);
    return KUVA_CURL_OK;
}

int kuva_curl_easy_disable_proxy(kuva_curl_easy *easy) {
    SET(CURLOPT_PROXY, "");
    return KUVA_CURL_OK;
}

int kuva_curl_easy_set_method(kuva_curl_easy *easy, const char *method, const void *body, size_t count) {
    if (body) {
        SET(CURLOPT_POST, 1L);
        SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
        SET(CURLOPT_POSTFIELDS, body);
    } else if (!strcmp(method, "HEAD")) {
        SET(CURLOPT_NOBODY, 1L);
    }
    SET(CURLOPT_CUSTOMREQUEST, method);
    return KUVA_CURL_OK;
}

int kuva_curl_easy_set_login(kuva_curl_easy *easy, enum kuva_curl_login login, const char *user, const char *password) {
    unsigned long schemes = login == KUVA_CURL_LOGIN_BASIC    ? CURLAUTH_BASIC
                            : login == KUVA_CURL_LOGIN_DIGEST ? CURLAUTH_DIGEST
                                                              : CURLAUTH_BASIC | CURLAUTH_DIGEST;
    SET(CURLOPT_HTTPAUTH, schemes);
    SET(CURLOPT_USERNAME, user);
    SET(CURLOPT_PASSWORD, password);
    return KUVA_CURL_OK;
}

int kuva_curl_easy_set_authorities(kuva_curl_easy *easy, const char *path) {
    SET(CURLOPT_CAINFO, path);
    return KUVA_CURL_OK;
}

int kuva_curl_easy_trust_anyone(kuva_curl_easy *easy) {
    SET(CURLOPT_SSL_VERIFYPEER, 0L);
    SET(CURLOPT_SSL_VERIFYHOST, 0L);
    return KUVA_CURL_OK;
}

int kuva_curl_easy_disable_http2(kuva_curl_easy *easy) {
    SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    return KUVA_CURL_OK;
}

int kuva_curl_easy_set_jar(kuva_curl_easy *easy, kuva_curl_jar *jar) {
    SET(CURLOPT_SHARE, (CURLSH *)jar);
    SET(CURLOPT_COOKIEFILE, "");
    return KUVA_CURL_OK;
}

void kuva_curl_easy_figures(const kuva_curl_easy *easy, int64_t figures[KUVA_CURL_FIGURE_COUNT]) {
    static const struct {
        int figure;
        CURLINFO info;
    } numbers[] = {
        {KUVA_CURL_NAME_FOUND, CURLINFO_NAMELOOKUP_TIME_T},    {KUVA_CURL_CONNECTED, CURLINFO_CONNECT_TIME_T},
        {KUVA_CURL_SECURED, CURLINFO_APPCONNECT_TIME_T},       {KUVA_CURL_REQUEST_SENT, CURLINFO_PRETRANSFER_TIME_T},
        {KUVA_CURL_FIRST_BYTE, CURLINFO_STARTTRANSFER_TIME_T}, {KUVA_CURL_TOTAL, CURLINFO_TOTAL_TIME_T},
        {KUVA_CURL_BODY_BYTES, CURLINFO_SIZE_DOWNLOAD_T},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        curl_off_t number = 0;
        curl_easy_getinfo(easy->curl, numbers[i].info, &number);
        figures[numbers[i].figure] = number;
    }
    long connections = 0, version = 0;
    curl_easy_getinfo(easy->curl, CURLINFO_NUM_CONNECTS, &connections);
    curl_easy_getinfo(easy->curl, CURLINFO_HTTP_VERSION, &version);
    figures[KUVA_CURL_NEW_CONNECTIONS] = connections;
    figures[KUVA_CURL_PROTOCOL] = version == CURL_HTTP_VERSION_1_0   ? 10
                                  : version == CURL_HTTP_VERSION_1_1 ? 11
                                  : version == CURL_HTTP_VERSION_2_0 ? 20
                                  : version == CURL_HTTP_VERSION_3   ? 30
                                                                     : 0;
}

kuva_curl_jar *kuva_curl_jar_new(void) {
    CURLSH *share = curl_share_init();
    if (!share) return NULL;
    if (curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_COOKIE) != CURLSHE_OK) {
        curl_share_cleanup(share);
        return NULL;
    }
    return (kuva_curl_jar *)share;
}

void kuva_curl_jar_free(kuva_curl_jar *jar) { curl_share_cleanup((CURLSH *)jar); }

const char *kuva_curl_easy_error(const kuva_curl_easy *easy) { return easy->error; }

kuva_curl_lines *kuva_curl_lines_append(kuva_curl_lines *lines, const char *line) {
    return (kuva_curl_lines *)curl_slist_append((struct curl_slist *)lines, line);
}

void kuva_curl_lines_free(kuva_curl_lines *lines) { curl_slist_free_all((struct curl_slist *)lines); }
