#include "kuva_jpeg_write.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>
#include <jerror.h>

// Everything that must survive a jump out of the library.
typedef struct {
    struct jpeg_compress_struct library;
    struct jpeg_error_mgr errors;
    jmp_buf escape;
    unsigned char *file;
    unsigned long count;
} writer;

static void leave(j_common_ptr library) {
    writer *w = library->client_data;
    longjmp(w->escape, 1);
}

static void ignore(j_common_ptr library) { (void)library; }
static void ignore_level(j_common_ptr library, int level) { (void)library, (void)level; }

static void set_up(writer *w, uint32_t width, uint32_t height, int quality, int is_progressive, int has_full_chroma) {
    j_compress_ptr library = &w->library;
    jpeg_mem_dest(library, &w->file, &w->count);
    library->image_width = width;
    library->image_height = height;
    library->input_components = 4;
    library->in_color_space = JCS_EXT_RGBA;
    jpeg_set_defaults(library);
    jpeg_set_quality(library, quality, TRUE);
    library->optimize_coding = TRUE;
    if (is_progressive) jpeg_simple_progression(library);
    if (has_full_chroma) library->comp_info[0].h_samp_factor = library->comp_info[0].v_samp_factor = 1;
}

kuva_jpeg_write_status kuva_jpeg_write(const uint8_t *rows, size_t bytes_per_row, uint32_t width, uint32_t height,
                                       int quality, int is_progressive, int has_full_chroma, uint8_t **file,
                                       size_t *count) {
    *file = NULL;
    *count = 0;
    writer *w = calloc(1, sizeof *w);
    if (w == NULL) return KUVA_JPEG_WRITE_NO_MEMORY;
    w->library.err = jpeg_std_error(&w->errors);
    w->errors.error_exit = leave;
    w->errors.output_message = ignore;
    w->errors.emit_message = ignore_level;
    w->library.client_data = w;
    if (setjmp(w->escape)) {
        int code = w->errors.msg_code;
        jpeg_destroy_compress(&w->library);
        free(w->file);
        free(w);
        return code == JERR_OUT_OF_MEMORY ? KUVA_JPEG_WRITE_NO_MEMORY : KUVA_JPEG_WRITE_FAILED;
    }
    jpeg_create_compress(&w->library);  // keeps err and client_data
    set_up(w, width, height, quality, is_progressive, has_full_chroma);
    jpeg_start_compress(&w->library, TRUE);
    while (w->library.next_scanline < height) {
        JSAMPROW row = (JSAMPROW)(rows + w->library.next_scanline * bytes_per_row);
        jpeg_write_scanlines(&w->library, &row, 1);
    }
    jpeg_finish_compress(&w->library);
    *file = w->file;
    *count = w->count;
    jpeg_destroy_compress(&w->library);
    free(w);
    return KUVA_JPEG_WRITE_OK;
}

void kuva_jpeg_write_free(uint8_t *file) { free(file); }
