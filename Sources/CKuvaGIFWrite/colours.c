#include "kuva_gif_write.h"

#include <stdlib.h>
#include <string.h>

enum { BINS = 1 << 15, MOST = 256 };

typedef struct {
    uint32_t count;
    uint64_t sums[3];
} bin;

typedef struct {
    int first, end;  // of the bins in use
    int axis;        // the longest one
    uint64_t weight;
} box;

static int bin_of(const uint8_t *pixel) { return pixel[0] >> 3 << 10 | pixel[1] >> 3 << 5 | pixel[2] >> 3; }
static int channel(uint16_t index, int axis) { return index >> (10 - 5 * axis) & 31; }
static int is_clear(const uint8_t *pixel) { return pixel[3] < 128; }

// Colours that are there, if there are no more than `most`.
static int take_all(const uint8_t *pixels, size_t count, int most, kuva_gif_colours *colours) {
    enum { SLOTS = 1024 };
    int slots[SLOTS];
    memset(slots, -1, sizeof slots);
    colours->count = 0;
    for (size_t i = 0; i < count; i++, pixels += 4) {
        if (is_clear(pixels)) continue;
        uint32_t colour = (uint32_t)(pixels[0] << 16 | pixels[1] << 8 | pixels[2]);
        uint32_t slot = colour * 2654435761u >> 22;
        while (slots[slot] >= 0 && memcmp(colours->colours + 3 * slots[slot], pixels, 3) != 0) slot = (slot + 1) % SLOTS;
        if (slots[slot] >= 0) continue;
        if (colours->count == most) return 0;
        slots[slot] = colours->count;
        memcpy(colours->colours + 3 * colours->count++, pixels, 3);
    }
    return 1;
}

static void measure(box *b, const uint16_t *used, const bin *bins) {
    int low[3] = {31, 31, 31}, high[3] = {0};
    uint64_t count = 0;
    for (int i = b->first; i < b->end; i++) {
        count += bins[used[i]].count;
        for (int axis = 0; axis < 3; axis++) {
            int value = channel(used[i], axis);
            if (value < low[axis]) low[axis] = value;
            if (value > high[axis]) high[axis] = value;
        }
    }
    b->axis = 0;
    for (int axis = 1; axis < 3; axis++)
        if (high[axis] - low[axis] > high[b->axis] - low[b->axis]) b->axis = axis;
    uint64_t side = (uint64_t)(high[b->axis] - low[b->axis]);
    // What splitting it would gain, about: pixels times the square of its length.
    b->weight = b->end - b->first > 1 ? count * side * side : 0;
}

// Puts the bins of a box in order along its axis; there are 32 values of it.
static void sort(const box *b, uint16_t *used, uint16_t *spare) {
    int starts[33] = {0}, count = b->end - b->first;
    for (int i = b->first; i < b->end; i++) starts[channel(used[i], b->axis) + 1]++;
    for (int value = 0; value < 32; value++) starts[value + 1] += starts[value];
    for (int i = b->first; i < b->end; i++) spare[starts[channel(used[i], b->axis)]++] = used[i];
    memcpy(used + b->first, spare, (size_t)count * sizeof *used);
}

// Where half of the pixels of a sorted box are; never at its ends.
static int median(const box *b, const uint16_t *used, const bin *bins) {
    uint64_t all = 0, sum = 0;
    for (int i = b->first; i < b->end; i++) all += bins[used[i]].count;
    int middle = b->first + 1;
    for (int i = b->first; i < b->end - 1; i++) {
        sum += bins[used[i]].count;
        middle = i + 1;
        if (2 * sum >= all) break;
    }
    return middle;
}

static void cut(const bin *bins, uint16_t *used, int used_count, uint16_t *spare, int most, kuva_gif_colours *colours) {
    box boxes[MOST] = {{0, used_count, 0, 0}};
    int count = 1;
    measure(&boxes[0], used, bins);
    while (count < most) {
        int widest = 0;
        for (int i = 1; i < count; i++)
            if (boxes[i].weight > boxes[widest].weight) widest = i;
        if (boxes[widest].weight == 0) break;
        box *b = &boxes[widest];
        sort(b, used, spare);
        int middle = median(b, used, bins);
        boxes[count] = (box){middle, b->end, 0, 0};
        b->end = middle;
        measure(b, used, bins);
        measure(&boxes[count++], used, bins);
    }
    colours->count = count;
    for (int i = 0; i < count; i++) {
        uint64_t sums[3] = {0}, pixels = 0;
        for (int k = boxes[i].first; k < boxes[i].end; k++) {
            pixels += bins[used[k]].count;
            for (int axis = 0; axis < 3; axis++) sums[axis] += bins[used[k]].sums[axis];
        }
        for (int axis = 0; axis < 3; axis++)
            colours->colours[3 * i + axis] = (uint8_t)((sums[axis] + pixels / 2) / pixels);
    }
}

int kuva_gif_choose(const uint8_t *pixels, size_t count, kuva_gif_colours *colours) {
    memset(colours, 0, sizeof *colours);
    int has_clear = 0;
    for (size_t i = 0; i < count && !has_clear; i++) has_clear = is_clear(pixels + 4 * i);
    int most = has_clear ? MOST - 1 : MOST;
    colours->is_exact = take_all(pixels, count, most, colours);
    if (!colours->is_exact) {
        bin *bins = calloc(BINS, sizeof *bins);
        uint16_t *used = malloc(2 * BINS * sizeof *used);
        if (bins == NULL || used == NULL) {
            free(bins);
            free(used);
            return 0;
        }
        int used_count = 0;
        for (size_t i = 0; i < count; i++) {
            const uint8_t *pixel = pixels + 4 * i;
            if (is_clear(pixel)) continue;
            int index = bin_of(pixel);
            if (bins[index].count++ == 0) used[used_count++] = (uint16_t)index;
            for (int axis = 0; axis < 3; axis++) bins[index].sums[axis] += pixel[axis];
        }
        cut(bins, used, used_count, used + BINS, most, colours);
        free(bins);
        free(used);
    }
    colours->transparent = has_clear ? colours->count : -1;
    return 1;
}

static int nearest(const kuva_gif_colours *colours, const int *wanted) {
    int best = 0, least = INT32_MAX;
    for (int i = 0; i < colours->count; i++) {
        int distance = 0;
        for (int k = 0; k < 3; k++) {
            int difference = wanted[k] - colours->colours[3 * i + k];
            distance += difference * difference;
        }
        if (distance < least) least = distance, best = i;
    }
    return best;
}

// The nearest colour to all that share the first bits with the one wanted, found once. Exact colours are looked for as
// they are, from the one found last: neighbours are mostly alike.
static int lookup(const kuva_gif_colours *colours, int16_t *known, const int *wanted) {
    int index = wanted[0] >> 3 << 10 | wanted[1] >> 3 << 5 | wanted[2] >> 3;
    if (colours->is_exact) {
        const uint8_t *last = colours->colours + 3 * known[index];
        if (known[index] < 0 || last[0] != wanted[0] || last[1] != wanted[1] || last[2] != wanted[2])
            known[index] = (int16_t)nearest(colours, wanted);
    } else if (known[index] < 0) {
        int middle[3] = {(wanted[0] & ~7) + 4, (wanted[1] & ~7) + 4, (wanted[2] & ~7) + 4};
        known[index] = (int16_t)nearest(colours, middle);
    }
    return known[index];
}

static int clamped(int value) { return value < 0 ? 0 : value > 255 ? 255 : value; }

int kuva_gif_dither(const uint8_t *pixels, size_t width, size_t height, const kuva_gif_colours *colours,
                    uint8_t *indices) {
    int16_t *known = malloc(BINS * sizeof *known);
    // Sixteenths of levels; a column of margin at both sides.
    int32_t *errors = calloc(2 * (width + 2) * 3, sizeof *errors);
    if (known == NULL || errors == NULL) {
        free(known);
        free(errors);
        return 0;
    }
    memset(known, -1, BINS * sizeof *known);
    int32_t *here = errors, *below = errors + (width + 2) * 3;
    for (size_t y = 0; y < height; y++) {
        int step = y % 2 == 0 ? 1 : -1;
        memset(below, 0, (width + 2) * 3 * sizeof *below);
        for (size_t n = 0; n < width; n++) {
            size_t x = step > 0 ? n : width - 1 - n;
            const uint8_t *pixel = pixels + (y * width + x) * 4;
            if (is_clear(pixel)) {
                indices[y * width + x] = (uint8_t)colours->transparent;
                continue;
            }
            int wanted[3];
            int32_t *error = here + (x + 1) * 3;
            for (int k = 0; k < 3; k++)
                wanted[k] = colours->is_exact ? pixel[k] : clamped(pixel[k] + (error[k] + 8) / 16);
            int index = lookup(colours, known, wanted);
            indices[y * width + x] = (uint8_t)index;
            if (colours->is_exact) continue;
            int32_t *under = below + (x + 1) * 3;
            for (int k = 0; k < 3; k++) {
                int rest = wanted[k] - colours->colours[3 * index + k];
                error[3 * step + k] += 7 * rest;
                under[-3 * step + k] += 3 * rest;
                under[k] += 5 * rest;
                under[3 * step + k] += rest;
            }
        }
        int32_t *old = here;
        here = below;
        below = old;
    }
    free(known);
    free(errors);
    return 1;
}
