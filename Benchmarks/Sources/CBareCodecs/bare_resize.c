#include "bare_support.h"

int bare_resize(bare_picture *picture, const uint8_t *rgba, int width, int height, int wanted_width,
                int wanted_height) {
    bare_box box;
    if (bare_box_start(&box, width, height, picture, wanted_width, wanted_height)) return -1;
    for (int y = 0; y < height; y++) bare_box_row(&box, rgba + (size_t)y * (size_t)width * 4, y);
    bare_box_end(&box);
    return 0;
}
