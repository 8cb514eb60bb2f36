#include "kuva_png_write.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { FILTER_COUNT = 5 };

struct kuva_png_writer {
    z_stream stream;
    size_t width;
    size_t channels;
    size_t row_count;   // bytes of a row without its filter type
    uint32_t rows_left;
    int is_open;
    int has_row;
    uint8_t *previous;  // the row above, unfiltered; zeros above the first
    uint8_t *current;
    uint8_t *filtered[FILTER_COUNT];  // filter type, then the bytes
    uint8_t *memory;
};

kuva_png_writer *kuva_png_writer_new(uint32_t width, uint32_t height, int has_alpha, int level) {
    size_t channels = has_alpha ? 4 : 3;
    if (width == 0 || height == 0 || width > INT32_MAX / 8 || height > INT32_MAX || level < 0 || level > 9) return NULL;
    kuva_png_writer *writer = calloc(1, sizeof *writer);
    if (!writer) return NULL;
    writer->width = width;
    writer->channels = channels;
    writer->row_count = width * channels;
    writer->rows_left = height;
    size_t slot = writer->row_count + 1;
    writer->memory = calloc(FILTER_COUNT + 2, slot);
    // Filtered rows are small numbers with little to match: Z_FILTERED leans to Huffman codes (zlib.h).
    if (!writer->memory ||
        deflateInit2(&writer->stream, level, Z_DEFLATED, MAX_WBITS, 8, Z_FILTERED) != Z_OK) {
        kuva_png_writer_free(writer);
        return NULL;
    }
    writer->is_open = 1;
    writer->previous = writer->memory;
    writer->current = writer->memory + slot;
    for (int filter = 0; filter < FILTER_COUNT; filter++) {
        writer->filtered[filter] = writer->memory + slot * (size_t)(filter + 2);
        writer->filtered[filter][0] = (uint8_t)filter;
    }
    return writer;
}

void kuva_png_writer_free(kuva_png_writer *writer) {
    if (!writer) return;
    if (writer->is_open) deflateEnd(&writer->stream);
    free(writer->memory);
    free(writer);
}

static uint8_t straight(uint8_t colour, uint8_t alpha) {
    unsigned value = (colour * 255u + alpha / 2u) / alpha;
    return value > 255 ? 255 : (uint8_t)value;
}

static void pack(const kuva_png_writer *writer, const uint8_t *rgba, uint8_t *out) {
    if (writer->channels == 3) {
        for (size_t x = 0; x < writer->width; x++) memcpy(out + x * 3, rgba + x * 4, 3);
        return;
    }
    for (size_t x = 0; x < writer->width; x++, rgba += 4, out += 4) {
        uint8_t alpha = rgba[3];
        if (alpha == 255) {
            memcpy(out, rgba, 4);
        } else if (alpha == 0) {
            memset(out, 0, 4);
        } else {
            for (int channel = 0; channel < 3; channel++) out[channel] = straight(rgba[channel], alpha);
            out[3] = alpha;
        }
    }
}

/// PNG, third edition, §9.4.
static uint8_t paeth(int left, int above, int corner) {
    int estimate = left + above - corner;
    int to_left = abs(estimate - left), to_above = abs(estimate - above), to_corner = abs(estimate - corner);
    if (to_left <= to_above && to_left <= to_corner) return (uint8_t)left;
    return (uint8_t)(to_above <= to_corner ? above : corner);
}

/// Applies all five filters to the current row (§9.2). The bytes left of the first pixel count as zero.
static void filter(kuva_png_writer *writer) {
    const uint8_t *row = writer->current, *above = writer->previous;
    size_t step = writer->channels, count = writer->row_count;
    uint8_t *none = writer->filtered[0] + 1, *sub = writer->filtered[1] + 1, *up = writer->filtered[2] + 1,
            *average = writer->filtered[3] + 1, *best = writer->filtered[4] + 1;
    memcpy(none, row, count);
    for (size_t i = 0; i < count; i++) up[i] = (uint8_t)(row[i] - above[i]);
    for (size_t i = 0; i < step; i++) {
        sub[i] = row[i];
        average[i] = (uint8_t)(row[i] - above[i] / 2);
        best[i] = (uint8_t)(row[i] - above[i]);
    }
    for (size_t i = step; i < count; i++) {
        sub[i] = (uint8_t)(row[i] - row[i - step]);
        average[i] = (uint8_t)(row[i] - (row[i - step] + above[i]) / 2);
        best[i] = (uint8_t)(row[i] - paeth(row[i - step], above[i], above[i - step]));
    }
}

/// The filter whose bytes, as signed numbers, have the least sum of magnitudes: the rule that §12.7 recommends.
static const uint8_t *choose(const kuva_png_writer *writer) {
    int chosen = 0;
    uint64_t least = UINT64_MAX;
    for (int candidate = 0; candidate < FILTER_COUNT; candidate++) {
        const uint8_t *bytes = writer->filtered[candidate] + 1;
        uint64_t sum = 0;
        for (size_t i = 0; i < writer->row_count; i++) sum += bytes[i] < 128 ? bytes[i] : 256u - bytes[i];
        if (sum < least) {
            least = sum;
            chosen = candidate;
        }
    }
    return writer->filtered[chosen];
}

void kuva_png_writer_row(kuva_png_writer *writer, const uint8_t *rgba) {
    if (writer->has_row || writer->rows_left == 0) return;
    pack(writer, rgba, writer->current);
    filter(writer);
    writer->stream.next_in = (Bytef *)choose(writer);
    writer->stream.avail_in = (uInt)(writer->row_count + 1);
    uint8_t *above = writer->previous;
    writer->previous = writer->current;
    writer->current = above;
    writer->has_row = 1;
    writer->rows_left--;
}

kuva_png_write_status kuva_png_writer_drain(
    kuva_png_writer *writer, uint8_t *out, size_t out_count, size_t *written) {
    z_stream *stream = &writer->stream;
    uInt room = out_count > UINT_MAX ? UINT_MAX : (uInt)out_count;
    stream->next_out = out;
    stream->avail_out = room;
    int is_last = writer->rows_left == 0;
    int status = deflate(stream, is_last ? Z_FINISH : Z_NO_FLUSH);
    *written = room - stream->avail_out;
    if (status == Z_STREAM_END) return KUVA_PNG_WRITE_DONE;
    if (status != Z_OK && status != Z_BUF_ERROR) return KUVA_PNG_WRITE_FAILED;
    if (stream->avail_out == 0) return KUVA_PNG_WRITE_FULL;
    if (is_last || stream->avail_in != 0) return KUVA_PNG_WRITE_FAILED;
    writer->has_row = 0;
    return KUVA_PNG_WRITE_NEEDS_ROW;
}

uint32_t kuva_png_write_crc32(uint32_t crc, const uint8_t *bytes, size_t count) {
    return (uint32_t)crc32_z(crc, bytes, count);
}
