#include "bare_support.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

// Everything that an error must find as it was left stands here and not in the function that has the setjmp.
typedef struct {
    png_structp png;
    png_infop info;
    const uint8_t *bytes;
    size_t count;
    size_t offset;
    bare_box box;
    uint8_t *row;
} bare_png;

static void on_read(png_structp png, png_bytep out, size_t count) {
    bare_png *self = png_get_io_ptr(png);
    if (count > self->count - self->offset) png_error(png, "the file ends");
    memcpy(out, self->bytes + self->offset, count);
    self->offset += count;
}

static void on_warning(png_structp png, png_const_charp message) { (void)png, (void)message; }

static int decode(bare_png *self, bare_picture *picture, int fit) {
    png_structp png = self->png;
    png_infop info = self->info;
    if (setjmp(png_jmpbuf(png))) return -1;
    png_set_read_fn(png, self, on_read);
    png_read_info(png, info);
    png_set_expand(png);
    png_set_strip_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
    int passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    int width = (int)png_get_image_width(png, info), height = (int)png_get_image_height(png, info);
    size_t stride = (size_t)width * 4;
    if (!fit) {
        if (bare_reserve(picture, width, height)) return -1;
        for (int pass = 0; pass < passes; pass++)
            for (int y = 0; y < height; y++) png_read_row(png, picture->pixels + stride * (size_t)y, NULL);
    } else {
        self->row = malloc(stride);
        int out_width, out_height;
        bare_fitted(width, height, fit, &out_width, &out_height);
        if (!self->row || passes > 1) return -1;
        if (bare_box_start(&self->box, width, height, picture, out_width, out_height)) return -1;
        for (int y = 0; y < height; y++) {
            png_read_row(png, self->row, NULL);
            bare_box_row(&self->box, self->row, y);
        }
    }
    return 0;
}

int bare_decode_png(bare_picture *picture, const uint8_t *bytes, size_t count, int fit) {
    bare_png self = {.bytes = bytes, .count = count};
    self.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, on_warning);
    self.info = self.png ? png_create_info_struct(self.png) : NULL;
    int status = self.info ? decode(&self, picture, fit) : -1;
    png_destroy_read_struct(&self.png, &self.info, NULL);
    bare_box_end(&self.box);
    free(self.row);
    return status;
}
