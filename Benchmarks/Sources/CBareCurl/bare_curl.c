#include "bare_curl.h"

#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>

// One handle and the memory for its body, used again for each.
typedef struct {
    CURL *curl;
    char *body;
    size_t count, capacity;
} slot;

struct bare_client {
    CURLM *multi;
    const char *authority;
    int concurrency;
    struct curl_slist *fields;
    slot *slots;
};

static size_t on_body(char *bytes, size_t size, size_t count, void *raw) {
    slot *slot = raw;
    size_t needed = slot->count + size * count;
    if (needed > slot->capacity) {
        size_t capacity = needed > 65536 ? needed : 65536;
        char *body = realloc(slot->body, capacity);
        if (!body) return 0;
        slot->body = body;
        slot->capacity = capacity;
    }
    memcpy(slot->body + slot->count, bytes, size * count);
    slot->count = needed;
    return size * count;
}

bare_client *bare_client_new(int concurrency, const char *authority, int asks_as_we_do) {
    bare_client *client = calloc(1, sizeof *client);
    if (!client) return NULL;
    client->concurrency = concurrency;
    client->authority = authority ? strdup(authority) : NULL;
    if (asks_as_we_do) {
        client->fields = curl_slist_append(
            client->fields, "Accept: image/avif,image/webp,image/png,image/jpeg,image/gif,*/*;q=0.5");
        client->fields = curl_slist_append(client->fields, "User-Agent: Kuva (Linux)");
        client->fields = curl_slist_append(client->fields, "Accept-Encoding: gzip, br, zstd");
    }
    client->multi = curl_multi_init();
    client->slots = calloc((size_t)concurrency, sizeof *client->slots);
    curl_multi_setopt(client->multi, CURLMOPT_PIPELINING, (long)CURLPIPE_MULTIPLEX);
    curl_multi_setopt(client->multi, CURLMOPT_MAXCONNECTS, (long)concurrency * 2);
    for (int i = 0; i < concurrency; i++) client->slots[i].curl = curl_easy_init();
    return client;
}

void bare_client_free(bare_client *client) {
    for (int i = 0; i < client->concurrency; i++) {
        curl_easy_cleanup(client->slots[i].curl);
        free(client->slots[i].body);
    }
    curl_multi_cleanup(client->multi);
    curl_slist_free_all(client->fields);
    free((char *)client->authority);
    free(client->slots);
    free(client);
}

static void start(bare_client *client, slot *slot, const char *url) {
    CURL *curl = slot->curl;
    slot->count = 0;
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_PRIVATE, slot);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, slot);
    curl_easy_setopt(curl, CURLOPT_PROXY, "");
    if (client->fields) curl_easy_setopt(curl, CURLOPT_HTTPHEADER, client->fields);
    if (client->authority) {
        curl_easy_setopt(curl, CURLOPT_CAINFO, client->authority);
        curl_easy_setopt(curl, CURLOPT_PIPEWAIT, 1L);
    }
    curl_multi_add_handle(client->multi, curl);
}

int bare_client_get(bare_client *client, const char *const *urls, size_t count, uint64_t *bytes) {
    size_t next = 0, left = count;
    int status = 0;
    *bytes = 0;
    for (int i = 0; i < client->concurrency && next < count; i++) start(client, &client->slots[i], urls[next++]);
    while (left) {
        int running, queued;
        curl_multi_perform(client->multi, &running);
        CURLMsg *message;
        int ended = 0;
        while ((message = curl_multi_info_read(client->multi, &queued))) {
            if (message->msg != CURLMSG_DONE) continue;
            slot *slot = NULL;
            long code = 0;
            CURL *curl = message->easy_handle;
            if (message->data.result != CURLE_OK) status = -1;
            curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &code);
            if (code != 200) status = -1;
            curl_easy_getinfo(curl, CURLINFO_PRIVATE, &slot);
            curl_multi_remove_handle(client->multi, curl);
            *bytes += slot->count;
            left--;
            ended = 1;
            if (next < count) start(client, slot, urls[next++]);
        }
        if (!ended && left) curl_multi_poll(client->multi, NULL, 0, 1000, NULL);
    }
    return status;
}
