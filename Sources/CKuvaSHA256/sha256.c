#include "kuva_sha256.h"

#include <openssl/evp.h>

static EVP_MD_CTX *context(kuva_sha256 *sum) { return (EVP_MD_CTX *)sum; }

kuva_sha256 *kuva_sha256_create(void) {
    EVP_MD_CTX *made = EVP_MD_CTX_new();
    if (made != NULL && EVP_DigestInit_ex(made, EVP_sha256(), NULL)) return (kuva_sha256 *)made;
    EVP_MD_CTX_free(made);
    return NULL;
}

void kuva_sha256_destroy(kuva_sha256 *sum) { EVP_MD_CTX_free(context(sum)); }

int kuva_sha256_update(kuva_sha256 *sum, const void *bytes, size_t count) {
    return EVP_DigestUpdate(context(sum), bytes, count);
}

int kuva_sha256_finish(kuva_sha256 *sum, uint8_t *out) { return EVP_DigestFinal_ex(context(sum), out, NULL); }
