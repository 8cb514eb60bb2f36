#ifndef KUVA_CURL_INTERNAL_H
#define KUVA_CURL_INTERNAL_H

#include "kuva_curl.h"

#include <curl/curl.h>

struct kuva_curl_easy {
    CURL *curl;
    kuva_curl_on_connected connected;
    kuva_curl_on_header header;
    kuva_curl_on_body body;
    void *context;
    char error[CURL_ERROR_SIZE];
};

/// The kind of a `CURLcode`.
int kuva_curl_failure_of(int code);

#endif
