#ifndef BARE_CURL_H
#define BARE_CURL_H

#include <stddef.h>
#include <stdint.h>

// A client: connections and handles that stay from one call to the next. `authority` is a PEM file, or NULL without TLS.
// With `asks_as_we_do` its requests have the header fields of ours; without, only those that curl adds by itself.
typedef struct bare_client bare_client;

bare_client *bare_client_new(int concurrency, const char *authority, int asks_as_we_do);
void bare_client_free(bare_client *client);

// Gets every URL into memory, so many at once, and adds up the bytes. Returns 0, or -1 if one failed.
int bare_client_get(bare_client *client, const char *const *urls, size_t count, uint64_t *bytes);

#endif
