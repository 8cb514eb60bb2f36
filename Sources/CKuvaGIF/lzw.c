#include <stdlib.h>
#include <string.h>
#include "include/kuva_gif.h"

// An entry of the table is a string that stands somewhere in the output already: when a code has been read, the string
// of the code before it and the first index of this one lie one after the other there. So a code is a copy from the
// output, a few bytes at a time, and making an entry is two stores; there are no chains to walk backwards.
typedef struct {
    uint32_t offset, length;
} entry;

enum {
    MAX_BITS = 12,
    MAX_CODES = 1 << MAX_BITS,
    CHUNK = 16,
    // In front of the output lie all indices in order, which the codes below the clear code stand for.
    PREFACE = 256,
    // The longest string, and what copying it in chunks writes past its end.
    SLACK = MAX_CODES + 2 * CHUNK,
    STAGE = 4096
};

struct kuva_gif_lzw {
    // One more than there are codes: a full table goes on writing to the last one, which no code names.
    entry table[MAX_CODES + 1];
    uint8_t *memory;
    size_t capacity;
    size_t pixels, position; // `position` is in memory, so PREFACE at the start.
    uint64_t bits;
    unsigned bit_count, width, clear, next, minimum;
    uint32_t previous, previous_length;
    unsigned block_left;
    kuva_gif_status end;
    uint8_t stage[STAGE];
};

kuva_gif_lzw *kuva_gif_lzw_new(void) { return calloc(1, sizeof(kuva_gif_lzw)); }

void kuva_gif_lzw_free(kuva_gif_lzw *lzw) {
    if (!lzw) return;
    free(lzw->memory);
    free(lzw);
}

static void reset(kuva_gif_lzw *lzw) {
    lzw->width = lzw->minimum + 1;
    // The first code after a clear makes no entry: what it writes goes to the place of the end code.
    lzw->next = lzw->clear + 1;
    lzw->previous = 0;
    lzw->previous_length = 0;
}

int kuva_gif_lzw_start(kuva_gif_lzw *lzw, size_t pixels, int minimum_code_size) {
    if (minimum_code_size < 1 || minimum_code_size > MAX_BITS - 1) return 0;
    if (pixels > UINT32_MAX - PREFACE - SLACK) return 0;
    size_t needed = PREFACE + pixels + SLACK;
    if (needed > lzw->capacity) {
        free(lzw->memory);
        lzw->memory = malloc(needed);
        lzw->capacity = lzw->memory ? needed : 0;
        if (!lzw->memory) return 0;
    }
    for (unsigned i = 0; i < PREFACE; i++) lzw->memory[i] = (uint8_t)i;
    lzw->pixels = pixels;
    lzw->position = PREFACE;
    lzw->bits = 0;
    lzw->bit_count = 0;
    lzw->minimum = (unsigned)minimum_code_size;
    lzw->clear = 1u << minimum_code_size;
    lzw->block_left = 0;
    lzw->end = KUVA_GIF_NEEDS_INPUT;
    for (unsigned i = 0; i < lzw->clear; i++) lzw->table[i] = (entry){i & 255, 1};
    reset(lzw);
    return 1;
}

static inline void copy_string(uint8_t *out, const uint8_t *from, uint32_t length) {
    for (uint32_t done = 0;; done += CHUNK) {
        uint8_t chunk[CHUNK];
        memcpy(chunk, from + done, CHUNK);
        memcpy(out + done, chunk, CHUNK);
        if (done + CHUNK >= length) return;
    }
}

// Decodes the codes of `count` bytes; what is less than a code stays in `bits`.
static kuva_gif_status decode_codes(kuva_gif_lzw *lzw, const uint8_t *input, size_t count) {
    const uint8_t *last = input + count;
    entry *table = lzw->table;
    uint8_t *memory = lzw->memory;
    const unsigned clear = lzw->clear;
    const size_t end = PREFACE + lzw->pixels;
    size_t position = lzw->position;
    uint64_t bits = lzw->bits;
    unsigned bit_count = lzw->bit_count, width = lzw->width, next = lzw->next;
    uint32_t previous = lzw->previous, previous_length = lzw->previous_length;
    kuva_gif_status status = KUVA_GIF_NEEDS_INPUT;
    for (;;) {
        if (bit_count < width) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
            if (last - input >= 8) {
                // Bits above `bit_count` are those of the byte that comes next, so that setting them again is harmless.
                uint64_t more;
                memcpy(&more, input, 8);
                bits |= more << bit_count;
                input += (63 - bit_count) >> 3;
                bit_count |= 56;
            } else
#endif
            {
                while (bit_count <= 56 && input < last) {
                    bits |= (uint64_t)*input++ << bit_count;
                    bit_count += 8;
                }
                if (bit_count < width) break;
            }
        }
        unsigned code = (unsigned)bits & ((1u << width) - 1);
        bits >>= width;
        bit_count -= width;
        if (code - clear < 2) {
            if (code != clear) {
                status = KUVA_GIF_TOO_SHORT;
                break;
            }
            width = lzw->minimum + 1;
            next = clear + 1;
            previous = 0;
            previous_length = 0;
            continue;
        }
        if (code > next) {
            status = KUVA_GIF_BAD_CODE;
            break;
        }
        // The entry that this code completes comes first: the code may name it itself.
        table[next] = (entry){previous, previous_length + 1};
        entry string = table[code];
        uint8_t *out = memory + position;
        copy_string(out, memory + string.offset, string.length);
        // Then its last index is the first of what is just written, which the copy may have read too early.
        if (code == next) out[string.length - 1] = out[0];
        previous = (uint32_t)position;
        previous_length = string.length;
        position += string.length;
        if (next < MAX_CODES) next++;
        if (next >> width && width < MAX_BITS) width++;
        if (position >= end) {
            position = end;
            status = KUVA_GIF_DONE;
            break;
        }
    }
    lzw->position = position;
    lzw->bits = bits;
    lzw->bit_count = bit_count;
    lzw->width = width;
    lzw->next = next;
    lzw->previous = previous;
    lzw->previous_length = previous_length;
    return status;
}

kuva_gif_status kuva_gif_lzw_decode(kuva_gif_lzw *lzw, const uint8_t *input, size_t input_count, size_t *used) {
    const uint8_t *next = input, *last = input + input_count;
    while (lzw->end == KUVA_GIF_NEEDS_INPUT && next < last) {
        size_t staged = 0;
        int is_terminated = 0;
        while (next < last && staged < STAGE) {
            if (lzw->block_left == 0) {
                lzw->block_left = *next++;
                if (lzw->block_left == 0) {
                    is_terminated = 1;
                    break;
                }
                continue;
            }
            size_t piece = lzw->block_left;
            if (piece > (size_t)(last - next)) piece = (size_t)(last - next);
            if (piece > STAGE - staged) piece = STAGE - staged;
            memcpy(lzw->stage + staged, next, piece);
            staged += piece;
            next += piece;
            lzw->block_left -= (unsigned)piece;
        }
        lzw->end = decode_codes(lzw, lzw->stage, staged);
        if (is_terminated && lzw->end == KUVA_GIF_NEEDS_INPUT) lzw->end = KUVA_GIF_TOO_SHORT;
    }
    *used = (size_t)(next - input);
    return lzw->end;
}

const uint8_t *kuva_gif_lzw_indices(const kuva_gif_lzw *lzw, size_t *count) {
    *count = lzw->position - PREFACE;
    return lzw->memory + PREFACE;
}
