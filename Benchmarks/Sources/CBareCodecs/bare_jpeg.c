#include "bare_support.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

// Everything that an error must find as it was left stands here and not in the function that has the setjmp.
typedef struct {
    struct jpeg_decompress_struct info;
    struct jpeg_error_mgr manager;
    jmp_buf escape;
    bare_box box;
    uint8_t *strip;
} bare_jpeg;

static void on_error(j_common_ptr info) { longjmp(((bare_jpeg *)info->client_data)->escape, 1); }
static void on_message(j_common_ptr info, int level) { (void)info, (void)level; }

// Shrinks by a power of two while decoding (only those have SIMD transforms), then averages down to the size asked.
static int decode(bare_jpeg *jpeg, bare_picture *picture, const uint8_t *bytes, size_t count, int fit) {
    j_decompress_ptr info = &jpeg->info;
    if (setjmp(jpeg->escape)) return -1;
    jpeg_create_decompress(info);
    jpeg_mem_src(info, bytes, count);
    jpeg_read_header(info, TRUE);
    info->out_color_space = JCS_EXT_RGBA;
    int wanted_width, wanted_height;
    bare_fitted((int)info->image_width, (int)info->image_height, fit, &wanted_width, &wanted_height);
    if (fit) {
        info->scale_denom = 8;
        for (info->scale_num = 1; info->scale_num < 8; info->scale_num *= 2)
            if ((info->image_width * info->scale_num + 7) / 8 >= (unsigned)wanted_width &&
                (info->image_height * info->scale_num + 7) / 8 >= (unsigned)wanted_height)
                break;
    }
    jpeg_start_decompress(info);
    int width = (int)info->output_width, height = (int)info->output_height;
    size_t stride = (size_t)width * 4;
    JSAMPROW rows[16];
    if (width == wanted_width && height == wanted_height) {
        if (bare_reserve(picture, width, height)) return -1;
        while (info->output_scanline < info->output_height) {
            JDIMENSION ready = 0;
            for (; ready < 16 && info->output_scanline + ready < info->output_height; ready++)
                rows[ready] = picture->pixels + stride * (info->output_scanline + ready);
            jpeg_read_scanlines(info, rows, ready);
        }
    } else {
        jpeg->strip = malloc(stride * 16);
        if (!jpeg->strip ||
            bare_box_start(&jpeg->box, width, height, picture, wanted_width, wanted_height)) return -1;
        for (int i = 0; i < 16; i++) rows[i] = jpeg->strip + stride * (size_t)i;
        while (info->output_scanline < info->output_height) {
            int first = (int)info->output_scanline;
            JDIMENSION ready = jpeg_read_scanlines(info, rows, 16);
            for (JDIMENSION i = 0; i < ready; i++) bare_box_row(&jpeg->box, rows[i], first + (int)i);
        }
    }
    jpeg_finish_decompress(info);
    return 0;
}

int bare_decode_jpeg(bare_picture *picture, const uint8_t *bytes, size_t count, int fit) {
    bare_jpeg jpeg = {0};
    jpeg.info.err = jpeg_std_error(&jpeg.manager);
    jpeg.info.client_data = &jpeg;
    jpeg.manager.error_exit = on_error;
    jpeg.manager.emit_message = on_message;
    int status = decode(&jpeg, picture, bytes, count, fit);
    jpeg_destroy_decompress(&jpeg.info);
    bare_box_end(&jpeg.box);
    free(jpeg.strip);
    return status;
}
