#if __has_include(<tiffio.h>)
#include "internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_samples = 16 };

struct kuva_tiff {
    TIFF *tif;
    const uint8_t *bytes;
    uint64_t count;
    uint64_t position;
    kuva_tiff_info info;
    kuva_tiff_samples samples;
    int is_tiled;
    /// Whether the library converts the pixels, with whatever they mean.
    int uses_library;
    TIFFRGBAImage image;
    int has_image;
    uint32_t next_row;
    uint32_t rows_per_strip;
    uint32_t tile_width;
    /// One row of samples, or a strip or tile of each plane.
    uint8_t *work;
    size_t plane_size;
    char message[256];
};

static tmsize_t read_proc(thandle_t handle, void *buffer, tmsize_t size) {
    kuva_tiff *tiff = handle;
    if (size < 0 || tiff->position >= tiff->count) return 0;
    uint64_t left = tiff->count - tiff->position;
    uint64_t n = (uint64_t)size < left ? (uint64_t)size : left;
    memcpy(buffer, tiff->bytes + tiff->position, n);
    tiff->position += n;
    return (tmsize_t)n;
}

static tmsize_t write_proc(thandle_t handle, void *buffer, tmsize_t size) {
    (void)handle, (void)buffer, (void)size;
    return -1;
}

static toff_t seek_proc(thandle_t handle, toff_t offset, int whence) {
    kuva_tiff *tiff = handle;
    uint64_t base = whence == SEEK_CUR ? tiff->position : whence == SEEK_END ? tiff->count : 0;
    return tiff->position = base + offset;
}

static int close_proc(thandle_t handle) {
    (void)handle;
    return 0;
}

static toff_t size_proc(thandle_t handle) { return ((kuva_tiff *)handle)->count; }

static int map_proc(thandle_t handle, void **base, toff_t *size) {
    kuva_tiff *tiff = handle;
    // The library reads a mapped file only.
    *base = (void *)(uintptr_t)tiff->bytes;
    *size = tiff->count;
    return 1;
}

static void unmap_proc(thandle_t handle, void *base, toff_t size) { (void)handle, (void)base, (void)size; }

__attribute__((format(printf, 4, 0)))
static int on_error(TIFF *tif, void *user, const char *module, const char *format, va_list arguments) {
    kuva_tiff *tiff = user;
    (void)tif, (void)module;
    if (!*tiff->message) vsnprintf(tiff->message, sizeof tiff->message, format, arguments);
    return 1;
}

__attribute__((format(printf, 4, 0)))
static int on_warning(TIFF *tif, void *user, const char *module, const char *format, va_list arguments) {
    (void)tif, (void)user, (void)module, (void)format, (void)arguments;
    return 1;
}

kuva_tiff *kuva_tiff_open(const uint8_t *bytes, size_t count, size_t max_allocation) {
    kuva_tiff *tiff = calloc(1, sizeof *tiff);
    TIFFOpenOptions *options = tiff ? TIFFOpenOptionsAlloc() : NULL;
    if (!options) {
        free(tiff);
        return NULL;
    }
    tiff->bytes = bytes;
    tiff->count = count;
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, (tmsize_t)max_allocation);
    TIFFOpenOptionsSetErrorHandlerExtR(options, on_error, tiff);
    TIFFOpenOptionsSetWarningHandlerExtR(options, on_warning, tiff);
    tiff->tif = TIFFClientOpenExt("picture", "r", tiff, read_proc, write_proc, seek_proc, close_proc, size_proc,
                                  map_proc, unmap_proc, options);
    TIFFOpenOptionsFree(options);
    return tiff;
}

void kuva_tiff_close(kuva_tiff *tiff) {
    if (!tiff) return;
    if (tiff->has_image) TIFFRGBAImageEnd(&tiff->image);
    if (tiff->tif) TIFFClose(tiff->tif);
    free(tiff->work);
    free(tiff);
}

const char *kuva_tiff_error(const kuva_tiff *tiff) { return *tiff->message ? tiff->message : "it cannot be read"; }

static kuva_tiff_status fail(kuva_tiff *tiff, kuva_tiff_status status, const char *message) {
    if (!*tiff->message) snprintf(tiff->message, sizeof tiff->message, "%s", message);
    return status;
}

/// Sets up conversion here; returns 0 where the library has to do it.
static int set_up_samples(kuva_tiff *tiff, uint16_t photometric, uint16_t planar) {
    TIFF *tif = tiff->tif;
    kuva_tiff_samples *s = &tiff->samples;
    uint16_t format = SAMPLEFORMAT_UINT, extra_count = 0, ink = INKSET_CMYK;
    uint16_t *extras = NULL;
    TIFFGetFieldDefaulted(tif, TIFFTAG_BITSPERSAMPLE, &s->bits);
    TIFFGetFieldDefaulted(tif, TIFFTAG_SAMPLESPERPIXEL, &s->samples);
    TIFFGetFieldDefaulted(tif, TIFFTAG_SAMPLEFORMAT, &format);
    TIFFGetFieldDefaulted(tif, TIFFTAG_EXTRASAMPLES, &extra_count, &extras);
    TIFFGetFieldDefaulted(tif, TIFFTAG_INKSET, &ink);
    s->width = tiff->info.width;
    s->photometric = photometric;
    s->is_separate = planar == PLANARCONFIG_SEPARATE && s->samples > 1;
    unsigned colours = kuva_tiff_colour_samples(photometric);
    int has_depth = (s->bits >= 1 && s->bits <= 16) || s->bits == 32;
    if (colours == 0 || s->samples < colours || s->samples > most_samples || !has_depth) return 0;
    if (format != SAMPLEFORMAT_UINT && format != SAMPLEFORMAT_INT && format != SAMPLEFORMAT_VOID) return 0;
    if (photometric == PHOTOMETRIC_SEPARATED && ink != INKSET_CMYK) return 0;
    if (photometric == PHOTOMETRIC_PALETTE) {
        uint16_t *map[3];
        if (s->bits > 8 || !TIFFGetField(tif, TIFFTAG_COLORMAP, &map[0], &map[1], &map[2])) return 0;
        for (int c = 0; c < 3; c++) {
            s->colour_map[c] = map[c];
            // Some writers give 8-bit colours where the format wants 16.
            for (unsigned i = 0; i < 1u << s->bits; i++) s->is_colour_map_wide |= map[c][i] > 255;
        }
    }
    if (extra_count > 0 && s->samples > colours && extras) {
        if (extras[0] == EXTRASAMPLE_ASSOCALPHA) tiff->info.alpha = 1;
        if (extras[0] == EXTRASAMPLE_UNASSALPHA) tiff->info.alpha = 2;
        if (tiff->info.alpha) s->alpha_sample = (uint16_t)colours;
    }
    return 1;
}

kuva_tiff_status kuva_tiff_read_info(kuva_tiff *tiff, kuva_tiff_info *info) {
    TIFF *tif = tiff->tif;
    if (!tif) return KUVA_TIFF_CORRUPT;
    kuva_tiff_info *i = &tiff->info;
    uint16_t photometric = 0, planar = PLANARCONFIG_CONTIG, compression = 0, orientation = 1, bits = 1;
    if (!TIFFGetField(tif, TIFFTAG_IMAGEWIDTH, &i->width) || !TIFFGetField(tif, TIFFTAG_IMAGELENGTH, &i->height) ||
        i->width == 0 || i->height == 0)
        return fail(tiff, KUVA_TIFF_CORRUPT, "it has no size");
    TIFFGetFieldDefaulted(tif, TIFFTAG_COMPRESSION, &compression);
    TIFFGetFieldDefaulted(tif, TIFFTAG_PLANARCONFIG, &planar);
    TIFFGetFieldDefaulted(tif, TIFFTAG_ORIENTATION, &orientation);
    TIFFGetFieldDefaulted(tif, TIFFTAG_BITSPERSAMPLE, &bits);
    if (!TIFFIsCODECConfigured(compression)) {
        snprintf(tiff->message, sizeof tiff->message, "its compression has the number %u", compression);
        return KUVA_TIFF_UNSUPPORTED;
    }
    if (!TIFFGetField(tif, TIFFTAG_PHOTOMETRIC, &photometric)) photometric = PHOTOMETRIC_MINISBLACK;
    i->photometric = photometric;
    i->bits_per_sample = bits;
    i->orientation = orientation >= 1 && orientation <= 8 ? orientation : 1;
    void *profile = NULL;
    if (!TIFFGetField(tif, TIFFTAG_ICCPROFILE, &i->icc_size, &profile)) i->icc_size = 0;
    if (compression == COMPRESSION_JPEG && photometric == PHOTOMETRIC_YCBCR && planar == PLANARCONFIG_CONTIG) {
        TIFFSetField(tif, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
        photometric = PHOTOMETRIC_RGB;
    }
    tiff->is_tiled = TIFFIsTiled(tif);
    uint32_t band = i->height;
    if (tiff->is_tiled) {
        if (!TIFFGetField(tif, TIFFTAG_TILEWIDTH, &tiff->tile_width) || !TIFFGetField(tif, TIFFTAG_TILELENGTH, &band) ||
            tiff->tile_width == 0 || band == 0)
            return fail(tiff, KUVA_TIFF_CORRUPT, "its tiles have no size");
    } else {
        TIFFGetFieldDefaulted(tif, TIFFTAG_ROWSPERSTRIP, &band);
        if (band == 0 || band > i->height) band = i->height;
        tiff->rows_per_strip = band;
    }
    tiff->uses_library = !set_up_samples(tiff, photometric, planar);
    if (tiff->uses_library) {
        char reason[1024] = "";
        if (!TIFFRGBAImageOK(tif, reason)) return fail(tiff, KUVA_TIFF_UNSUPPORTED, reason);
        i->alpha = 1;
        i->working_size = (uint64_t)i->width * band * 4;
    } else if (tiff->is_tiled || tiff->samples.is_separate) {
        tmsize_t size = tiff->is_tiled ? TIFFTileSize(tif) : TIFFStripSize(tif);
        if (size <= 0) return fail(tiff, KUVA_TIFF_CORRUPT, "its strips or tiles have no size");
        tiff->plane_size = (size_t)size;
        i->working_size = (uint64_t)size * (tiff->samples.is_separate ? tiff->samples.samples : 1);
    } else {
        // Strips of one plane are read row by row, so it does not matter how long they are.
        tmsize_t size = TIFFScanlineSize(tif);
        if (size <= 0) return fail(tiff, KUVA_TIFF_CORRUPT, "its rows have no size");
        tiff->plane_size = (size_t)size;
        i->working_size = (uint64_t)size;
        band = 16;
    }
    i->rows_per_band = band < i->height ? band : i->height;
    *info = *i;
    // Counting pages walks the file, so it is done last, on the first page's way back.
    info->page_count = i->page_count = TIFFNumberOfDirectories(tif);
    return KUVA_TIFF_OK;
}

static kuva_tiff_status begin(kuva_tiff *tiff) {
    if (tiff->uses_library) {
        if (tiff->has_image) return KUVA_TIFF_OK;
        char reason[1024] = "";
        if (!TIFFRGBAImageBegin(&tiff->image, tiff->tif, 1, reason)) return fail(tiff, KUVA_TIFF_UNSUPPORTED, reason);
        tiff->has_image = 1;
        // Rows as stored: what turns them comes later.
        tiff->image.req_orientation = tiff->image.orientation = ORIENTATION_TOPLEFT;
        return KUVA_TIFF_OK;
    }
    if (!tiff->work) tiff->work = calloc(1, (size_t)tiff->info.working_size);
    return tiff->work ? KUVA_TIFF_OK : KUVA_TIFF_NO_MEMORY;
}

static int read_by_library(kuva_tiff *tiff, uint8_t *rows, uint32_t count) {
    tiff->image.row_offset = (int)tiff->next_row;
    tiff->image.col_offset = 0;
    memset(rows, 0, (size_t)tiff->info.width * count * 4);
    if (!TIFFRGBAImageGet(&tiff->image, (uint32_t *)(void *)rows, tiff->info.width, count)) return 0;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    for (size_t i = 0; i < (size_t)tiff->info.width * count; i++)
        ((uint32_t *)(void *)rows)[i] = __builtin_bswap32(((uint32_t *)(void *)rows)[i]);
#endif
    return 1;
}

/// Reads a strip or tile of each plane. What a broken one does not fill is zero.
static int read_planes(kuva_tiff *tiff, uint32_t x, uint32_t y) {
    const kuva_tiff_samples *s = &tiff->samples;
    unsigned planes = s->is_separate ? s->samples : 1;
    memset(tiff->work, 0, (size_t)tiff->info.working_size);
    for (unsigned p = 0; p < planes; p++) {
        uint8_t *target = tiff->work + p * tiff->plane_size;
        tmsize_t size = (tmsize_t)tiff->plane_size;
        tmsize_t got = tiff->is_tiled
            ? TIFFReadEncodedTile(tiff->tif, TIFFComputeTile(tiff->tif, x, y, 0, (uint16_t)p), target, size)
            : TIFFReadEncodedStrip(tiff->tif, TIFFComputeStrip(tiff->tif, y, (uint16_t)p), target, size);
        if (got < 0) return 0;
    }
    return 1;
}

static void expand_planes(kuva_tiff *tiff, uint32_t row, size_t row_size, uint32_t width, uint8_t *rgba) {
    const uint8_t *planes[most_samples];
    for (unsigned p = 0; p < most_samples; p++)
        planes[p] = tiff->work + (tiff->samples.is_separate && p < tiff->samples.samples ? p : 0) * tiff->plane_size +
                    row * row_size;
    kuva_tiff_expand(&tiff->samples, planes, width, rgba);
}

kuva_tiff_status kuva_tiff_read_rows(kuva_tiff *tiff, uint8_t *rows, uint32_t *count) {
    *count = 0;
    kuva_tiff_status status = begin(tiff);
    if (status != KUVA_TIFF_OK) return status;
    uint32_t width = tiff->info.width;
    uint32_t left = tiff->info.height - tiff->next_row;
    uint32_t band = tiff->info.rows_per_band < left ? tiff->info.rows_per_band : left;
    size_t stride = (size_t)width * 4;
    if (band == 0) return KUVA_TIFF_OK;
    if (tiff->uses_library) {
        if (!read_by_library(tiff, rows, band)) return fail(tiff, KUVA_TIFF_CORRUPT, "its pixels cannot be read");
    } else if (tiff->is_tiled) {
        size_t row_size = (size_t)TIFFTileRowSize(tiff->tif);
        for (uint32_t x = 0; x < width; x += tiff->tile_width) {
            if (!read_planes(tiff, x, tiff->next_row)) return fail(tiff, KUVA_TIFF_CORRUPT, "a tile cannot be read");
            uint32_t columns = width - x < tiff->tile_width ? width - x : tiff->tile_width;
            for (uint32_t y = 0; y < band; y++)
                expand_planes(tiff, y, row_size, columns, rows + y * stride + (size_t)x * 4);
        }
    } else if (tiff->samples.is_separate) {
        if (!read_planes(tiff, 0, tiff->next_row)) return fail(tiff, KUVA_TIFF_CORRUPT, "a strip cannot be read");
        size_t row_size = (size_t)TIFFScanlineSize(tiff->tif);
        for (uint32_t y = 0; y < band; y++) expand_planes(tiff, y, row_size, width, rows + y * stride);
    } else {
        for (uint32_t y = 0; y < band; y++) {
            if (TIFFReadScanline(tiff->tif, tiff->work, tiff->next_row, 0) < 0)
                return fail(tiff, KUVA_TIFF_CORRUPT, "a row cannot be read");
            expand_planes(tiff, 0, 0, width, rows + y * stride);
            tiff->next_row++;
            ++*count;
        }
        return KUVA_TIFF_OK;
    }
    tiff->next_row += band;
    *count = band;
    return KUVA_TIFF_OK;
}
#elif defined(KUVA_TRAIT_TIFF)
#error "the trait TIFF needs libtiff's header: apt install libtiff-dev"
#endif
