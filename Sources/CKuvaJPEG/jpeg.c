#include "kuva_jpeg.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>
#include <jerror.h>

enum { ROWS_AT_ONCE = 32 };

// libjpeg-turbo is built with the interface of libjpeg 6b, 7 or 8.
#if JPEG_LIB_VERSION >= 70
#define DCT_ROWS(component) ((component)->DCT_v_scaled_size)
#define MINIMUM_DCT_ROWS(library) ((library)->min_DCT_v_scaled_size)
#else
#define DCT_ROWS(component) ((component)->DCT_scaled_size)
#define MINIMUM_DCT_ROWS(library) ((library)->min_DCT_scaled_size)
#endif

struct kuva_jpeg {
    struct jpeg_decompress_struct library;
    struct jpeg_error_mgr errors;
    struct jpeg_source_mgr source;
    jmp_buf escape;

    size_t count;    // bytes of the input that is set
    size_t offset;   // where in the file reading goes on when input is set again
    size_t skip;     // bytes to pass over that have not come yet
    int is_last;
    int in_scan;     // the library reads the data of a scan, not markers
    int keeps_inks;  // rows of CMYK stay what they are
    int made_end;    // the input ended and the library got an end marker from us

    // Rows of MCUs; see note_rows.
    int data_ended;  // the scan's data has ended: from here on the library makes rows up
    JDIMENSION good_rows;
    JDIMENSION component_rows[MAX_COMPONENTS];

    kuva_jpeg_error kind;
    char message[JMSG_LENGTH_MAX];
    char warning[JMSG_LENGTH_MAX];
};

static kuva_jpeg *owner(j_decompress_ptr library) { return library->client_data; }

// MARK: Errors and warnings

static void leave(j_common_ptr library) {
    kuva_jpeg *jpeg = library->client_data;
    jpeg->errors.format_message(library, jpeg->message);
    switch (jpeg->errors.msg_code) {
    case JERR_OUT_OF_MEMORY:
    case JERR_NO_BACKING_STORE:
        jpeg->kind = KUVA_JPEG_NO_MEMORY;
        break;
    case JERR_ARITH_NOTIMPL:
    case JERR_BAD_PRECISION:
    case JERR_CCIR601_NOTIMPL:
    case JERR_COMPONENT_COUNT:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_FRACT_SAMPLE_NOTIMPL:
    case JERR_IMAGE_TOO_BIG:
    case JERR_NOT_COMPILED:
    case JERR_SOF_UNSUPPORTED:
    case JERR_WIDTH_OVERFLOW:
        jpeg->kind = KUVA_JPEG_UNSUPPORTED;
        break;
    default:
        jpeg->kind = KUVA_JPEG_CORRUPT;
    }
    longjmp(jpeg->escape, 1);
}

// Whether the marker that stopped the entropy decoder leaves no hope that a restart marker brings data again:
// jpeg_resync_to_restart passes over restart markers and codes that do not exist, and stays at all others.
static int ends_data(j_decompress_ptr library) {
    int marker = library->unread_marker;
    if (library->restart_interval == 0) return 1;
    return marker >= 0xC0 && (marker < 0xD0 || marker > 0xD7);
}

static void note_message(j_common_ptr common, int level) {
    if (level >= 0) return;
    kuva_jpeg *jpeg = common->client_data;
    jpeg->errors.num_warnings++;
    switch (jpeg->errors.msg_code) {
    case JWRN_HIT_MARKER:
        if (ends_data(&jpeg->library)) jpeg->data_ended = 1;
        break;
    case JWRN_ARITH_BAD_CODE:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_MUST_RESYNC:
        break;
    default:  // about markers, not about the picture
        return;
    }
    if (jpeg->warning[0] == 0) jpeg->errors.format_message(common, jpeg->warning);
}

static void ignore_message(j_common_ptr common) { (void)common; }

// MARK: Input

static void source_begin(j_decompress_ptr library) { (void)library; }
static void source_end(j_decompress_ptr library) { (void)library; }

// A scan that ends with the file gets an end marker, as the library's own sources do. Markers do not: it would be taken
// for their content.
static boolean source_fill(j_decompress_ptr library) {
    static const JOCTET end[2] = {0xFF, JPEG_EOI};
    kuva_jpeg *jpeg = owner(library);
    if (!jpeg->is_last || !jpeg->in_scan) return FALSE;
    jpeg->made_end = 1;
    // The arithmetic decoder does not say that it has run out.
    if (library->arith_code) jpeg->data_ended = 1;
    jpeg->source.next_input_byte = end;
    jpeg->source.bytes_in_buffer = sizeof end;
    return TRUE;
}

static void source_skip(j_decompress_ptr library, long count) {
    kuva_jpeg *jpeg = owner(library);
    if (count <= 0) return;
    size_t here = jpeg->source.bytes_in_buffer;
    size_t taken = (size_t)count < here ? (size_t)count : here;
    jpeg->source.next_input_byte += taken;
    jpeg->source.bytes_in_buffer -= taken;
    jpeg->skip += (size_t)count - taken;
}

static boolean source_resync(j_decompress_ptr library, int desired) {
    boolean done = jpeg_resync_to_restart(library, desired);
    if (done && library->unread_marker != 0 && ends_data(library)) owner(library)->data_ended = 1;
    return done;
}

void kuva_jpeg_set_input(kuva_jpeg *jpeg, const uint8_t *bytes, size_t count, int is_last) {
    jpeg->count = count;
    jpeg->is_last = is_last;
    if (jpeg->made_end) return;
    size_t start = jpeg->offset < count ? jpeg->offset : count;
    jpeg->skip = jpeg->offset - start;
    jpeg->source.next_input_byte = bytes + start;
    jpeg->source.bytes_in_buffer = count - start;
}

void kuva_jpeg_release_input(kuva_jpeg *jpeg) {
    if (jpeg->made_end) return;
    jpeg->offset = jpeg->count - jpeg->source.bytes_in_buffer + jpeg->skip;
    jpeg->source.next_input_byte = NULL;
    jpeg->source.bytes_in_buffer = 0;
}

// MARK: Life

static int initialise(kuva_jpeg *jpeg) {
    jpeg->library.err = jpeg_std_error(&jpeg->errors);
    jpeg->errors.error_exit = leave;
    jpeg->errors.emit_message = note_message;
    jpeg->errors.output_message = ignore_message;
    jpeg->library.client_data = jpeg;
    if (setjmp(jpeg->escape)) {
        jpeg_destroy_decompress(&jpeg->library);
        return 0;
    }
    jpeg_create_decompress(&jpeg->library);  // keeps err and client_data
    jpeg->source.init_source = source_begin;
    jpeg->source.fill_input_buffer = source_fill;
    jpeg->source.skip_input_data = source_skip;
    jpeg->source.resync_to_restart = source_resync;
    jpeg->source.term_source = source_end;
    jpeg->library.src = &jpeg->source;
    return 1;
}

kuva_jpeg *kuva_jpeg_create(void) {
    kuva_jpeg *jpeg = calloc(1, sizeof *jpeg);
    if (jpeg != NULL && initialise(jpeg)) return jpeg;
    free(jpeg);
    return NULL;
}

void kuva_jpeg_destroy(kuva_jpeg *jpeg) {
    if (jpeg == NULL) return;
    if (!setjmp(jpeg->escape)) jpeg_destroy_decompress(&jpeg->library);
    free(jpeg);
}

kuva_jpeg_error kuva_jpeg_error_kind(const kuva_jpeg *jpeg) { return jpeg->kind; }
const char *kuva_jpeg_error_message(const kuva_jpeg *jpeg) { return jpeg->message; }
const char *kuva_jpeg_warning(const kuva_jpeg *jpeg) { return jpeg->warning[0] ? jpeg->warning : NULL; }

// MARK: Header

static kuva_jpeg_colour colour(J_COLOR_SPACE space) {
    switch (space) {
    case JCS_GRAYSCALE: return KUVA_JPEG_GREY;
    case JCS_RGB: return KUVA_JPEG_RGB;
    case JCS_YCbCr: return KUVA_JPEG_YCBCR;
    case JCS_CMYK: return KUVA_JPEG_CMYK;
    case JCS_YCCK: return KUVA_JPEG_YCCK;
    default: return KUVA_JPEG_UNKNOWN;
    }
}

static uint64_t rounded_up(JDIMENSION value, int unit) {
    return ((uint64_t)value + (unsigned)unit - 1) / (unsigned)unit * (unsigned)unit;
}

kuva_jpeg_status kuva_jpeg_read_header(kuva_jpeg *jpeg, kuva_jpeg_info *info) {
    j_decompress_ptr library = &jpeg->library;
    if (setjmp(jpeg->escape)) return KUVA_JPEG_ERROR;
    if (jpeg_read_header(library, TRUE) != JPEG_HEADER_OK) return KUVA_JPEG_NEED_MORE;
    jpeg->in_scan = 1;
    *info = (kuva_jpeg_info){
        .width = library->image_width,
        .height = library->image_height,
        .bits = (uint32_t)library->data_precision,
        .components = (uint32_t)library->num_components,
        .colour = colour(library->jpeg_color_space),
        .is_progressive = library->progressive_mode != 0,
        .is_arithmetic = library->arith_code != 0,
        .has_adobe_marker = library->saw_Adobe_marker != 0,
        .holds_whole_picture = jpeg_has_multiple_scans(library) != 0,
    };
    for (int i = 0; i < library->num_components; i++) {
        const jpeg_component_info *component = &library->comp_info[i];
        if (i < 4) {
            info->horizontal[i] = (uint8_t)component->h_samp_factor;
            info->vertical[i] = (uint8_t)component->v_samp_factor;
        }
        if (info->holds_whole_picture)
            info->coefficient_bytes += rounded_up(component->width_in_blocks, component->h_samp_factor) *
                                       rounded_up(component->height_in_blocks, component->v_samp_factor) *
                                       sizeof(JBLOCK);
    }
    return KUVA_JPEG_OK;
}

// MARK: Decoding

kuva_jpeg_status kuva_jpeg_start(kuva_jpeg *jpeg, unsigned denominator, int keeps_inks, uint32_t *width,
                                 uint32_t *height) {
    j_decompress_ptr library = &jpeg->library;
    if (setjmp(jpeg->escape)) return KUVA_JPEG_ERROR;
    int is_cmyk = library->jpeg_color_space == JCS_CMYK || library->jpeg_color_space == JCS_YCCK;
    library->out_color_space = is_cmyk ? JCS_CMYK : JCS_EXT_RGBA;
    jpeg->keeps_inks = keeps_inks;
    library->scale_num = 1;
    library->scale_denom = denominator;
    library->buffered_image = jpeg_has_multiple_scans(library);
    if (!jpeg_start_decompress(library)) return KUVA_JPEG_NEED_MORE;
    *width = library->output_width;
    *height = library->output_height;
    return KUVA_JPEG_OK;
}

// Notes how far each component's own data, not what the library fills in for it, has come in any scan: later scans only
// refine.
static void note_rows(kuva_jpeg *jpeg) {
    j_decompress_ptr library = &jpeg->library;
    if (jpeg->data_ended) return;
    for (int i = 0; i < library->comps_in_scan; i++) {
        JDIMENSION *rows = &jpeg->component_rows[library->cur_comp_info[i]->component_index];
        if (library->input_iMCU_row > *rows) *rows = library->input_iMCU_row;
    }
}

kuva_jpeg_status kuva_jpeg_absorb(kuva_jpeg *jpeg, unsigned steps, unsigned *scans) {
    j_decompress_ptr library = &jpeg->library;
    if (setjmp(jpeg->escape)) return KUVA_JPEG_ERROR;
    *scans = (unsigned)library->input_scan_number;
    if (library->arith_code && !jpeg->is_last) return KUVA_JPEG_NEED_MORE;  // it cannot wait inside a scan
    for (unsigned i = 0; i < steps; i++) {
        switch (jpeg_consume_input(library)) {
        case JPEG_SUSPENDED:
            if (!jpeg->is_last || jpeg->in_scan) return KUVA_JPEG_NEED_MORE;
            // The file ends between two scans: go on as if its end marker stood there.
            jpeg->made_end = 1;
            library->unread_marker = JPEG_EOI;
            break;
        case JPEG_REACHED_SOS:
            jpeg->in_scan = 1;
            jpeg->data_ended = 0;
            *scans = (unsigned)library->input_scan_number;
            break;
        case JPEG_REACHED_EOI:
            return KUVA_JPEG_END;
        case JPEG_SCAN_COMPLETED:
            jpeg->in_scan = 0;
            note_rows(jpeg);
            break;
        default:
            note_rows(jpeg);
        }
    }
    return KUVA_JPEG_OK;
}

kuva_jpeg_status kuva_jpeg_start_output(kuva_jpeg *jpeg) {
    j_decompress_ptr library = &jpeg->library;
    if (setjmp(jpeg->escape)) return KUVA_JPEG_ERROR;
    jpeg->good_rows = library->total_iMCU_rows;
    for (int i = 0; i < library->num_components; i++)
        if (jpeg->component_rows[i] < jpeg->good_rows) jpeg->good_rows = jpeg->component_rows[i];
    return jpeg_start_output(library, library->input_scan_number) ? KUVA_JPEG_OK : KUVA_JPEG_NEED_MORE;
}

kuva_jpeg_status kuva_jpeg_start_preview(kuva_jpeg *jpeg) {
    j_decompress_ptr library = &jpeg->library;
    if (setjmp(jpeg->escape)) return KUVA_JPEG_ERROR;
    if (library->input_scan_number < 2) return KUVA_JPEG_NEED_MORE;
    jpeg->good_rows = library->total_iMCU_rows;
    // Of the scan before, so that the library waits for nothing; what has come of the next one is in it all the same.
    return jpeg_start_output(library, library->input_scan_number - 1) ? KUVA_JPEG_OK : KUVA_JPEG_NEED_MORE;
}

kuva_jpeg_status kuva_jpeg_end_preview(kuva_jpeg *jpeg) {
    if (setjmp(jpeg->escape)) return KUVA_JPEG_ERROR;
    return jpeg_finish_output(&jpeg->library) ? KUVA_JPEG_OK : KUVA_JPEG_NEED_MORE;
}

// How many rows of the output come from the file's data alone. The last row before a gap takes a part of its colour
// from the row below where colour is coded with fewer rows.
static JDIMENSION good_output_rows(const kuva_jpeg *jpeg) {
    const struct jpeg_decompress_struct *library = &jpeg->library;
    if (jpeg->good_rows >= library->total_iMCU_rows) return library->output_height;
    int height = library->max_v_samp_factor * MINIMUM_DCT_ROWS(library);
    uint64_t rows = (uint64_t)jpeg->good_rows * (unsigned)height;
    for (int i = 0; i < library->num_components; i++) {
        const jpeg_component_info *component = &library->comp_info[i];
        if (component->v_samp_factor * DCT_ROWS(component) >= height) continue;
        if (rows > 0) rows--;
        break;
    }
    return rows < library->output_height ? (JDIMENSION)rows : library->output_height;
}

static uint8_t product(unsigned a, unsigned b) {
    unsigned value = a * b + 128;
    return (uint8_t)((value + (value >> 8)) >> 8);
}

// Ink to light without a profile: each ink takes its share of the light away, and black its share of the rest.
// `inverted` says that 255 means no ink, as Adobe's programs write.
static void convert_cmyk(uint8_t *pixel, JDIMENSION count, int inverted) {
    unsigned flip = inverted ? 0 : 255;
    for (JDIMENSION i = 0; i < count; i++, pixel += 4) {
        unsigned black = pixel[3] ^ flip;
        for (int c = 0; c < 3; c++) pixel[c] = product(pixel[c] ^ flip, black);
        pixel[3] = 255;
    }
}

kuva_jpeg_status kuva_jpeg_read_rows(kuva_jpeg *jpeg, uint8_t *rows, size_t bytes_per_row, uint32_t count,
                                     uint32_t *written) {
    j_decompress_ptr library = &jpeg->library;
    *written = 0;
    if (setjmp(jpeg->escape)) return KUVA_JPEG_ERROR;
    int is_held = library->buffered_image;
    if (library->arith_code && !jpeg->is_last) return KUVA_JPEG_NEED_MORE;
    while (*written < count) {
        JDIMENSION first = library->output_scanline;
        JDIMENSION end = is_held || jpeg->data_ended ? good_output_rows(jpeg) : library->output_height;
        if (first >= end) return KUVA_JPEG_END;
        JDIMENSION wanted = count - *written;
        if (wanted > end - first) wanted = end - first;
        if (wanted > ROWS_AT_ONCE) wanted = ROWS_AT_ONCE;
        JSAMPROW pointers[ROWS_AT_ONCE];
        for (JDIMENSION i = 0; i < wanted; i++) pointers[i] = rows + (*written + i) * bytes_per_row;

        JDIMENSION came = jpeg_read_scanlines(library, pointers, wanted);
        if (came == 0) return KUVA_JPEG_NEED_MORE;
        if (!is_held && !jpeg->data_ended) jpeg->good_rows = library->input_iMCU_row;
        if (!is_held && jpeg->data_ended) {
            end = good_output_rows(jpeg);
            came = end <= first ? 0 : came < end - first ? came : end - first;
        }
        if (library->out_color_space == JCS_CMYK && !jpeg->keeps_inks)
            for (JDIMENSION i = 0; i < came; i++)
                convert_cmyk(pointers[i], library->output_width, library->saw_Adobe_marker);
        *written += came;
    }
    return library->output_scanline < library->output_height ? KUVA_JPEG_OK : KUVA_JPEG_END;
}

int kuva_jpeg_is_cut_off(const kuva_jpeg *jpeg) {
    const struct jpeg_decompress_struct *library = &jpeg->library;
    if (!jpeg->made_end) return 0;
    if (jpeg->data_ended) return 1;
    if (!library->buffered_image) return 0;
    // Without its end marker, a picture of several scans is whole if no coefficient has anything left to come.
    for (int i = 0; i < library->num_components; i++) {
        if (jpeg->component_rows[i] < library->total_iMCU_rows) return 1;
        if (library->coef_bits == NULL) continue;
        for (int k = 0; k < DCTSIZE2; k++)
            if (library->coef_bits[i][k] != 0) return 1;
    }
    return 0;
}
