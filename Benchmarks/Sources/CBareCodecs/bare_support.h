#ifndef BARE_SUPPORT_H
#define BARE_SUPPORT_H

#include "bare_codecs.h"

// Sets the size and makes room for it; 0, or -1 without memory.
int bare_reserve(bare_picture *picture, int width, int height);

// The size that a picture gets in a square with the side `fit`; the same size for 0.
void bare_fitted(int width, int height, int fit, int *fitted_width, int *fitted_height);

// Averages rows into a smaller picture while they come: each output pixel is the mean of the source pixels whose
// corner falls into it.
typedef struct {
    int width, height, out_width, out_height, out_row, rows;
    uint32_t *sums;
    int *edges;
    uint8_t *out;
} bare_box;

int bare_box_start(bare_box *box, int width, int height, bare_picture *into, int out_width, int out_height);
void bare_box_row(bare_box *box, const uint8_t *rgba, int row);
void bare_box_end(bare_box *box);

#endif
