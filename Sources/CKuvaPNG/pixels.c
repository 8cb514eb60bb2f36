#include <stdlib.h>
#include <string.h>
#include "inflate.h"
#include "rows.h"

// What one interlace pass takes of the frame (PNG §8.2).
typedef struct {
    uint8_t x, y, dx, dy;
} pass_grid;

static const pass_grid passes[7] = {
    {0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2},
};
static const pass_grid whole = {0, 0, 1, 1};

// How a packed row becomes RGBA.
typedef enum { EXPAND_RGBA, EXPAND_SPREAD, EXPAND_TABLE } expansion;

struct kuva_png_pixels {
    uint32_t width, height;
    int depth, channels, bpp, is_interlaced, has_key;
    expansion expansion;
    int8_t map[4];
    uint16_t key[3];
    uint32_t table[256];
    const row_functions *rows;

    const inflate_backend *inflate;
    void *stream;
    uint8_t header[2];
    int header_count;
    int has_ended;

    // Inflated bytes: the row above, unfiltered, ends at `start`, where the next filter type is. Bytes from `start` to
    // `end` are not unfiltered yet. Inflating stops at `limit`; behind it there is room for one more row, since the row
    // above grows from one interlace pass to the next.
    uint8_t *buffer;
    size_t limit, start, end;
    uint8_t *above;   // EXPAND_RGBA: the row above, as RGBA, if it is not in the caller's memory any more.
    uint8_t *scratch; // Interlaced: one row as RGBA.

    int pass;
    uint32_t row, pass_width, pass_height;
    size_t row_bytes;
    kuva_png_status failure;
};

static const pass_grid *grid(const kuva_png_pixels *p) { return p->is_interlaced ? &passes[p->pass] : &whole; }

static uint32_t count_in_pass(uint32_t side, unsigned first, unsigned step) {
    return side <= first ? 0 : (side - first + step - 1) / step;
}

static size_t packed_bytes(const kuva_png_pixels *p, uint32_t width) {
    return ((size_t)width * (size_t)(p->depth * p->channels) + 7) / 8;
}

// Starts the pass, or the first one after it that has pixels. Returns 0 if there is none.
static int start_pass(kuva_png_pixels *p) {
    for (; p->pass < (p->is_interlaced ? 7 : 1); p->pass++) {
        const pass_grid *g = grid(p);
        p->pass_width = count_in_pass(p->width, g->x, g->dx);
        p->pass_height = count_in_pass(p->height, g->y, g->dy);
        if (p->pass_width == 0 || p->pass_height == 0) continue;
        size_t bytes = packed_bytes(p, p->pass_width);
        // The row above the first one is zero.
        size_t left = p->end - p->start;
        memmove(p->buffer + bytes, p->buffer + p->start, left);
        memset(p->buffer, 0, bytes);
        p->start = bytes;
        p->end = bytes + left;
        p->row_bytes = bytes;
        p->row = 0;
        return 1;
    }
    return 0;
}

static int channels_of(int colour_type, int depth) {
    int is_deep = depth == 8 || depth == 16, is_power = depth == 1 || depth == 2 || depth == 4 || is_deep;
    switch (colour_type) {
    case 0: return is_power ? 1 : 0;
    case 2: return is_deep ? 3 : 0;
    case 3: return is_power && depth != 16 ? 1 : 0;
    case 4: return is_deep ? 2 : 0;
    case 6: return is_deep ? 4 : 0;
    default: return 0;
    }
}

// Which byte of a pixel is which channel; of 16-bit samples the high one.
static void choose_expansion(kuva_png_pixels *p, int colour_type) {
    int size = p->depth == 16 ? 2 : 1, is_grey = colour_type == 0 || colour_type == 4;
    p->expansion = EXPAND_SPREAD;
    for (int k = 0; k < 3; k++) p->map[k] = (int8_t)(is_grey ? 0 : k * size);
    p->map[3] = (int8_t)(colour_type & 4 ? (p->channels - 1) * size : -1);
    if (p->depth < 8 || colour_type == 3) p->expansion = EXPAND_TABLE;
    if (!p->is_interlaced && p->depth == 8 && p->channels >= 3 && !p->has_key) p->expansion = EXPAND_RGBA;
}

static void fill_table(kuva_png_pixels *p, int colour_type, const uint8_t *palette) {
    if (colour_type == 3) {
        memcpy(p->table, palette, sizeof p->table);
        return;
    }
    int last = (1 << p->depth) - 1;
    for (int i = 0; i <= last; i++) {
        uint8_t grey = (uint8_t)(i * 255 / last);
        uint8_t pixel[4] = {grey, grey, grey, p->has_key && (p->key[0] & last) == i ? 0 : 255};
        memcpy(&p->table[i], pixel, 4);
    }
}

kuva_png_pixels *kuva_png_pixels_new(
    uint32_t width, uint32_t height, int bit_depth, int colour_type, int is_interlaced,
    const uint8_t *palette, const uint16_t *key,
    kuva_png_level level, kuva_png_inflate_backend backend) {
    int channels = channels_of(colour_type, bit_depth);
    if (!channels || width == 0 || height == 0 || (colour_type == 3 && !palette)) return NULL;
    kuva_png_pixels *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->width = width;
    p->height = height;
    p->depth = bit_depth;
    p->channels = channels;
    p->bpp = (bit_depth * channels + 7) / 8;
    p->is_interlaced = is_interlaced != 0;
    p->has_key = key && (colour_type == 0 || colour_type == 2);
    if (p->has_key) {
        // A sample of 8 bits or less is compared with the low bits of the two bytes that tRNS has for it.
        for (int k = 0; k < 3; k++) p->key[k] = bit_depth == 16 ? key[k] : (uint16_t)(key[k] & 255);
    }
    choose_expansion(p, colour_type);
    if (p->expansion == EXPAND_TABLE) fill_table(p, colour_type, palette);
    p->rows = kuva_png_rows_with(level);

    size_t row_bytes = packed_bytes(p, width), window = 4 * (row_bytes + 1);
    if (window < 256 << 10) window = 256 << 10;
    p->limit = row_bytes + window;
    p->buffer = malloc(p->limit + row_bytes + ROW_SLACK);
    p->inflate = kuva_png_inflate_with(backend);
    p->stream = p->inflate->create();
    int has_memory = p->buffer && p->stream;
    if (p->expansion == EXPAND_RGBA) {
        p->above = calloc((size_t)width + 8, 4);
        has_memory = has_memory && p->above;
    }
    if (p->is_interlaced) {
        p->scratch = malloc(((size_t)width + 8) * 4);
        has_memory = has_memory && p->scratch;
    }
    if (!has_memory) {
        kuva_png_pixels_free(p);
        return NULL;
    }
    start_pass(p);
    return p;
}

void kuva_png_pixels_free(kuva_png_pixels *p) {
    if (!p) return;
    if (p->stream) p->inflate->destroy(p->stream);
    free(p->buffer);
    free(p->above);
    free(p->scratch);
    free(p);
}

// Depths below 8 bits, and palettes: each index looks its pixel up.
static void expand_table(const kuva_png_pixels *p, const uint8_t *row, uint8_t *out, size_t pixels) {
    const uint32_t *table = p->table;
    if (p->depth == 8) {
        for (size_t x = 0; x < pixels; x++) memcpy(out + 4 * x, &table[row[x]], 4);
        return;
    }
    int depth = p->depth, mask = (1 << depth) - 1;
    size_t x = 0;
    while (x < pixels) {
        int bits = *row++;
        for (int shift = 8 - depth; shift >= 0 && x < pixels; shift -= depth, x++) {
            memcpy(out + 4 * x, &table[bits >> shift & mask], 4);
        }
    }
}

static void clear_key(const kuva_png_pixels *p, const uint8_t *row, uint8_t *out, size_t pixels) {
    int size = p->depth / 8;
    for (size_t x = 0; x < pixels; x++, row += p->bpp) {
        int is_key = 1;
        for (int k = 0; k < p->channels; k++) {
            int value = size == 1 ? row[k] : row[2 * k] << 8 | row[2 * k + 1];
            is_key &= value == p->key[k];
        }
        if (is_key) out[4 * x + 3] = 0;
    }
}

static void expand(const kuva_png_pixels *p, const uint8_t *row, uint8_t *out, size_t pixels) {
    if (p->expansion == EXPAND_TABLE) {
        expand_table(p, row, out, pixels);
        return;
    }
    p->rows->spread(row, out, pixels, p->bpp, p->map);
    if (p->has_key) clear_key(p, row, out, pixels);
}

static void scatter(const kuva_png_pixels *p, uint8_t *frame, size_t bytes_per_row) {
    const pass_grid *g = grid(p);
    uint8_t *out = frame + (size_t)(g->y + p->row * (size_t)g->dy) * bytes_per_row + (size_t)g->x * 4;
    for (uint32_t x = 0; x < p->pass_width; x++) memcpy(out + (size_t)x * g->dx * 4, p->scratch + (size_t)x * 4, 4);
}

// Makes room and inflates until a row is there or the input is used up.
static kuva_png_status inflate_row(kuva_png_pixels *p, const uint8_t **input, size_t *count) {
    while (p->header_count < 2) {
        if (*count == 0) return KUVA_PNG_NEEDS_INPUT;
        p->header[p->header_count++] = *(*input)++;
        (*count)--;
        if (p->header_count == 2 && !kuva_png_is_zlib_header(p->header[0], p->header[1])) {
            return KUVA_PNG_BAD_ZLIB_HEADER;
        }
    }
    while (p->end - p->start < 1 + p->row_bytes) {
        if (p->has_ended) return KUVA_PNG_TOO_SHORT;
        if (p->start > p->row_bytes) {
            size_t from = p->start - p->row_bytes;
            memmove(p->buffer, p->buffer + from, p->end - from);
            p->start -= from;
            p->end -= from;
        }
        inflate_io io = {*input, *count, p->buffer + p->end, p->limit - p->end};
        inflate_status status = p->inflate->run(p->stream, &io);
        size_t made = (size_t)(io.out - (p->buffer + p->end)), taken = *count - io.input_count;
        p->end += made;
        *input = io.input;
        *count = io.input_count;
        if (status == INFLATE_END) p->has_ended = 1;
        if (p->end - p->start >= 1 + p->row_bytes) {
            // Rows that came before the damage are good; the next call finds the damage again.
            if (status == INFLATE_BAD) p->has_ended = 1, p->failure = KUVA_PNG_BAD_DEFLATE;
            break;
        }
        if (status == INFLATE_BAD) return KUVA_PNG_BAD_DEFLATE;
        if (status == INFLATE_MORE && made == 0 && taken == 0) {
            return *count == 0 ? KUVA_PNG_NEEDS_INPUT : KUVA_PNG_BAD_DEFLATE;
        }
        if (*count == 0 && made == 0 && !p->has_ended) return KUVA_PNG_NEEDS_INPUT;
    }
    return KUVA_PNG_ROWS_FULL;
}

// Unfilters the row at `start` and writes it to `out` (or the frame). Returns 0 for a filter that does not exist.
static int take_row(kuva_png_pixels *p, const uint8_t *above, uint8_t *out, size_t bytes_per_row) {
    int filter = p->buffer[p->start];
    uint8_t *row = p->buffer + p->start + 1;
    if (filter > 4) return 0;
    if (p->expansion == EXPAND_RGBA) {
        p->rows->unfilter_rgba(filter, row, above, out, p->pass_width, p->bpp);
    } else {
        if (filter) p->rows->unfilter(filter, row, p->buffer + p->start - p->row_bytes, p->row_bytes, p->bpp);
        expand(p, row, p->is_interlaced ? p->scratch : out, p->pass_width);
        if (p->is_interlaced) scatter(p, out, bytes_per_row);
    }
    p->start += 1 + p->row_bytes;
    return 1;
}

kuva_png_status kuva_png_pixels_read(
    kuva_png_pixels *p, const uint8_t *input, size_t input_count, size_t *used,
    uint8_t *out, size_t bytes_per_row, size_t max_rows, size_t *rows) {
    const uint8_t *next = input;
    size_t count = input_count, written = 0;
    const uint8_t *above = p->above;
    kuva_png_status status = KUVA_PNG_ROWS_FULL;
    while (written < max_rows && status == KUVA_PNG_ROWS_FULL) {
        if (p->pass >= (p->is_interlaced ? 7 : 1)) {
            status = KUVA_PNG_DONE;
            break;
        }
        status = inflate_row(p, &next, &count);
        if (status == KUVA_PNG_TOO_SHORT && p->failure) status = p->failure;
        if (status != KUVA_PNG_ROWS_FULL) break;
        uint8_t *place = p->is_interlaced ? out : out + written * bytes_per_row;
        if (!take_row(p, above, place, bytes_per_row)) {
            status = KUVA_PNG_BAD_FILTER;
            break;
        }
        above = place;
        written++;
        if (++p->row == p->pass_height) {
            p->pass++;
            if (!start_pass(p)) status = KUVA_PNG_DONE;
        }
    }
    // The caller may change its rows once it has them, so the last one is kept.
    if (p->above && written) memcpy(p->above, above, (size_t)p->width * 4);
    *used = input_count - count;
    *rows = written;
    return status;
}

int kuva_png_pixels_pass(const kuva_png_pixels *p) { return p->pass; }

void kuva_png_pixels_fill(const kuva_png_pixels *p, uint8_t *frame, size_t bytes_per_row) {
    if (!p->is_interlaced || p->pass >= 7 || (p->pass == 0 && p->row == 0)) return;
    // The size of the block that a pixel stands for once a pass has come.
    static const struct {
        uint8_t width, height;
    } blocks[7] = {{8, 8}, {4, 8}, {4, 4}, {2, 4}, {2, 2}, {1, 2}, {1, 1}};
    // Rows from here on have not been reached by the pass that was under way.
    const pass_grid *g = &passes[p->pass];
    size_t reached = p->row ? (size_t)g->y + (size_t)(p->row - 1) * g->dy + 1 : 0;
    for (size_t y = 0; y < p->height; y++) {
        // Rows of one block share the fate of the block's own row.
        int in_pass = (y / blocks[p->pass].height * blocks[p->pass].height) < reached;
        int last = in_pass ? p->pass : p->pass - 1;
        if (last < 0) {
            memset(frame + y * bytes_per_row, 0, (size_t)p->width * 4);
            continue;
        }
        size_t width = blocks[last].width, height = blocks[last].height, source = y / height * height;
        for (size_t x = 0; x < p->width; x++) {
            memmove(
                frame + y * bytes_per_row + x * 4, frame + source * bytes_per_row + x / width * width * 4, 4);
        }
    }
}
