#include "bare_codecs.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <png.h>
#include <webp/encode.h>

static void on_error(j_common_ptr info) { longjmp(*(jmp_buf *)info->client_data, 1); }

long bare_encode_jpeg(const uint8_t *rgba, int width, int height, int quality) {
    struct jpeg_compress_struct info;
    struct jpeg_error_mgr manager;
    jmp_buf escape;
    unsigned char *file = NULL;
    unsigned long count = 0;
    info.err = jpeg_std_error(&manager);
    info.client_data = &escape;
    manager.error_exit = on_error;
    if (setjmp(escape)) return -1;
    jpeg_create_compress(&info);
    jpeg_mem_dest(&info, &file, &count);
    info.image_width = (JDIMENSION)width;
    info.image_height = (JDIMENSION)height;
    info.input_components = 4;
    info.in_color_space = JCS_EXT_RGBA;
    jpeg_set_defaults(&info);
    jpeg_set_quality(&info, quality, TRUE);
    info.optimize_coding = TRUE;
    jpeg_simple_progression(&info);
    jpeg_start_compress(&info, TRUE);
    while (info.next_scanline < info.image_height) {
        JSAMPROW row = (JSAMPROW)(rgba + (size_t)info.next_scanline * (size_t)width * 4);
        jpeg_write_scanlines(&info, &row, 1);
    }
    jpeg_finish_compress(&info);
    jpeg_destroy_compress(&info);
    free(file);
    return (long)count;
}

static void take(png_structp png, png_bytep bytes, size_t count) {
    (void)bytes;
    *(size_t *)png_get_io_ptr(png) += count;
}

static void flush(png_structp png) { (void)png; }

long bare_encode_png(const uint8_t *rgba, int width, int height) {
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    size_t count = 0;
    if (setjmp(png_jmpbuf(png))) return -1;
    png_set_write_fn(png, &count, take, flush);
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, 0, 0);
    png_write_info(png, info);
    png_set_filler(png, 0, PNG_FILLER_AFTER);
    for (int y = 0; y < height; y++) png_write_row(png, rgba + (size_t)y * (size_t)width * 4);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return (long)count;
}

long bare_encode_webp(const uint8_t *rgba, int width, int height, int quality) {
    WebPConfig config;
    WebPPicture picture;
    if (!WebPConfigInit(&config) || !WebPPictureInit(&picture)) return -1;
    config.quality = (float)quality;
    WebPMemoryWriter writer;
    WebPMemoryWriterInit(&writer);
    picture.width = width;
    picture.height = height;
    picture.writer = WebPMemoryWrite;
    picture.custom_ptr = &writer;
    int done = WebPPictureImportRGBX(&picture, rgba, width * 4) && WebPEncode(&config, &picture);
    long count = done ? (long)writer.size : -1;
    WebPPictureFree(&picture);
    WebPMemoryWriterClear(&writer);
    return count;
}
