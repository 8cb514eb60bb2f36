#include "kuva_gif_write.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CODES = 4096, SLOTS = 1 << 13 };

// Bits from the lowest on, in sub-blocks of at most 255 bytes.
typedef struct {
    uint8_t *out, *block;
    uint32_t bits;
    int bit_count;
} sink;

static void put_byte(sink *s, uint8_t byte) {
    if (*s->block == 255) {
        s->block = s->out++;
        *s->block = 0;
    }
    *s->out++ = byte;
    ++*s->block;
}

static void put(sink *s, uint32_t code, int size) {
    s->bits |= code << s->bit_count;
    s->bit_count += size;
    for (; s->bit_count >= 8; s->bit_count -= 8, s->bits >>= 8) put_byte(s, (uint8_t)s->bits);
}

size_t kuva_gif_compress_bound(size_t count) {
    // A code of 12 bits an index, a clear code for each 3838 of them, the ends; then a length for each 255 bytes.
    size_t bytes = count + count / 2 + count / 1024 + 16;
    return bytes + bytes / 255 + 2;
}

size_t kuva_gif_compress(const uint8_t *indices, size_t count, int minimum_code_size, uint8_t *out) {
    // Strings by their prefix's code and last index: the key plus one, and the code.
    uint32_t *keys = calloc(SLOTS, sizeof *keys);
    uint16_t *codes = malloc(SLOTS * sizeof *codes);
    if (keys == NULL || codes == NULL) {
        free(keys);
        free(codes);
        return 0;
    }
    const uint32_t clear = 1u << minimum_code_size, end = clear + 1;
    sink s = {out + 1, out, 0, 0};
    *s.block = 0;
    int size = minimum_code_size + 1;
    uint32_t next = end + 1, prefix = count ? indices[0] : 0;
    put(&s, clear, size);
    for (size_t i = 1; i < count; i++) {
        uint32_t key = (prefix << 8 | indices[i]) + 1, slot = key * 2654435761u >> 19;
        while (keys[slot] != 0 && keys[slot] != key) slot = (slot + 1) % SLOTS;
        if (keys[slot] == key) {
            prefix = codes[slot];
            continue;
        }
        put(&s, prefix, size);
        prefix = indices[i];
        if (next == MOST_CODES) {
            put(&s, clear, size);
            memset(keys, 0, SLOTS * sizeof *keys);
            next = end + 1;
            size = minimum_code_size + 1;
            continue;
        }
        // The reader knows a string one code later, so its codes grow when this one has been used up.
        if (next == 1u << size) size++;
        keys[slot] = key;
        codes[slot] = (uint16_t)next++;
    }
    if (count) {
        put(&s, prefix, size);
        if (next == 1u << size && size < 12) size++;
    }
    put(&s, end, size);
    if (s.bit_count > 0) put_byte(&s, (uint8_t)s.bits);
    free(keys);
    free(codes);
    if (*s.block != 0) *s.out++ = 0;
    return (size_t)(s.out - out);
}
