#include "curl_internal.h"

static int failure_of(CURLMcode code) {
    switch (code) {
    case CURLM_OK: return KUVA_CURL_OK;
    case CURLM_OUT_OF_MEMORY: return KUVA_CURL_OUT_OF_MEMORY;
    default: return KUVA_CURL_OTHER;
    }
}

static CURLM *multi_of(kuva_curl_multi *multi) { return (CURLM *)multi; }

kuva_curl_multi *kuva_curl_multi_new(long connections) {
    CURLM *multi = curl_multi_init();
    if (!multi) return NULL;
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, connections);
    curl_multi_setopt(multi, CURLMOPT_PIPELINING, (long)CURLPIPE_MULTIPLEX);
    return (kuva_curl_multi *)multi;
}

void kuva_curl_multi_free(kuva_curl_multi *multi) { curl_multi_cleanup(multi_of(multi)); }

void kuva_curl_multi_set_connections(kuva_curl_multi *multi, long connections) {
    curl_multi_setopt(multi_of(multi), CURLMOPT_MAXCONNECTS, connections);
}

int kuva_curl_multi_add(kuva_curl_multi *multi, kuva_curl_easy *easy) {
    return failure_of(curl_multi_add_handle(multi_of(multi), easy->curl));
}

int kuva_curl_multi_remove(kuva_curl_multi *multi, kuva_curl_easy *easy) {
    return failure_of(curl_multi_remove_handle(multi_of(multi), easy->curl));
}

int kuva_curl_multi_perform(kuva_curl_multi *multi) {
    int running = 0;
    return failure_of(curl_multi_perform(multi_of(multi), &running));
}

int kuva_curl_multi_poll(kuva_curl_multi *multi, int milliseconds) {
    return failure_of(curl_multi_poll(multi_of(multi), NULL, 0, milliseconds, NULL));
}

int kuva_curl_multi_wakeup(kuva_curl_multi *multi) { return failure_of(curl_multi_wakeup(multi_of(multi))); }

int kuva_curl_multi_next_done(kuva_curl_multi *multi, void **context, int *failure, int *code) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi_of(multi), &left))) {
        if (message->msg != CURLMSG_DONE) continue;
        kuva_curl_easy *easy = NULL;
        CURLcode result = message->data.result;
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&easy);
        *context = easy->context;
        *code = (int)result;
        *failure = kuva_curl_failure_of(result);
        return 1;
    }
    return 0;
}
