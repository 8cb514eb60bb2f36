#include "bare_support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int bare_reserve(bare_picture *picture, int width, int height) {
    size_t needed = (size_t)width * (size_t)height * 4;
    if (needed > picture->capacity) {
        free(picture->pixels);
        picture->pixels = malloc(needed);
        picture->capacity = picture->pixels ? needed : 0;
        if (!picture->pixels) return -1;
    }
    picture->width = width;
    picture->height = height;
    return 0;
}

void bare_release(bare_picture *picture) {
    free(picture->pixels);
    memset(picture, 0, sizeof *picture);
}

void bare_fitted(int width, int height, int fit, int *fitted_width, int *fitted_height) {
    int longer = width > height ? width : height;
    double factor = fit > 0 && fit < longer ? (double)fit / longer : 1;
    *fitted_width = (int)lround(width * factor);
    *fitted_height = (int)lround(height * factor);
    if (*fitted_width < 1) *fitted_width = 1;
    if (*fitted_height < 1) *fitted_height = 1;
}

int bare_box_start(bare_box *box, int width, int height, bare_picture *into, int out_width, int out_height) {
    memset(box, 0, sizeof *box);
    box->width = width;
    box->height = height;
    box->out_width = out_width;
    box->out_height = out_height;
    if (bare_reserve(into, box->out_width, box->out_height)) return -1;
    box->out = into->pixels;
    box->sums = calloc((size_t)box->out_width * 4, sizeof *box->sums);
    box->edges = malloc(((size_t)box->out_width + 1) * sizeof *box->edges);
    if (!box->sums || !box->edges) {
        bare_box_end(box);
        return -1;
    }
    for (int x = 0; x <= box->out_width; x++) box->edges[x] = (int)((int64_t)x * width / box->out_width);
    return 0;
}

void bare_box_row(bare_box *box, const uint8_t *rgba, int row) {
    for (int x = 0; x < box->out_width; x++) {
        uint32_t sum[4] = {0, 0, 0, 0};
        for (int i = box->edges[x]; i < box->edges[x + 1]; i++)
            for (int channel = 0; channel < 4; channel++) sum[channel] += rgba[i * 4 + channel];
        for (int channel = 0; channel < 4; channel++) box->sums[x * 4 + channel] += sum[channel];
    }
    box->rows++;
    if (row + 1 < (int)((int64_t)(box->out_row + 1) * box->height / box->out_height)) return;
    uint8_t *out = box->out + (size_t)box->out_row * (size_t)box->out_width * 4;
    for (int x = 0; x < box->out_width; x++) {
        uint32_t count = (uint32_t)(box->edges[x + 1] - box->edges[x]) * (uint32_t)box->rows;
        for (int channel = 0; channel < 4; channel++)
            out[x * 4 + channel] = (uint8_t)((box->sums[x * 4 + channel] + count / 2) / count);
    }
    memset(box->sums, 0, (size_t)box->out_width * 4 * sizeof *box->sums);
    box->rows = 0;
    box->out_row++;
}

void bare_box_end(bare_box *box) {
    free(box->sums);
    free(box->edges);
    box->sums = NULL;
    box->edges = NULL;
}
