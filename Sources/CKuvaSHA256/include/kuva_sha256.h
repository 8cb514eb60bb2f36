#ifndef KUVA_SHA256_H
#define KUVA_SHA256_H
#include <stddef.h>
#include <stdint.h>

// SHA-256 (FIPS 180-4) by libcrypto, of bytes that come in pieces. One thread at a time.

typedef struct kuva_sha256 kuva_sha256;

enum { KUVA_SHA256_BYTES = 32 };

/// A new sum of nothing, or NULL without memory.
kuva_sha256 *kuva_sha256_create(void);
void kuva_sha256_destroy(kuva_sha256 *sum);

/// Adds bytes. Returns 0 if the library failed.
int kuva_sha256_update(kuva_sha256 *sum, const void *bytes, size_t count);

/// Writes the sum of all bytes, KUVA_SHA256_BYTES of them; nothing may be added afterwards. Returns 0 if the library
/// failed.
int kuva_sha256_finish(kuva_sha256 *sum, uint8_t *out);

#endif
