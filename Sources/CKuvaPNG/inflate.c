#include "inflate.h"
#include <stdlib.h>
#include <zlib.h>

static void *zlib_create(void) {
    z_stream *stream = calloc(1, sizeof *stream);
    if (stream && inflateInit2(stream, -MAX_WBITS) != Z_OK) {
        free(stream);
        return NULL;
    }
    return stream;
}

static void zlib_destroy(void *state) {
    inflateEnd(state);
    free(state);
}

static inflate_status zlib_run(void *state, inflate_io *io) {
    z_stream *stream = state;
    const size_t most = (size_t)1 << 30;
    uInt input = (uInt)(io->input_count < most ? io->input_count : most);
    uInt out = (uInt)(io->out_count < most ? io->out_count : most);
    stream->next_in = (Bytef *)(uintptr_t)io->input;
    stream->avail_in = input;
    stream->next_out = io->out;
    stream->avail_out = out;
    int code = inflate(stream, Z_NO_FLUSH);
    io->input += input - stream->avail_in;
    io->input_count -= input - stream->avail_in;
    io->out += out - stream->avail_out;
    io->out_count -= out - stream->avail_out;
    if (code == Z_STREAM_END) return INFLATE_END;
    return code == Z_OK || code == Z_BUF_ERROR ? INFLATE_MORE : INFLATE_BAD;
}

const inflate_backend kuva_png_inflate_zlib = {zlib_create, zlib_destroy, zlib_run};

const inflate_backend *kuva_png_inflate_with(kuva_png_inflate_backend backend) {
#ifdef KUVA_PNG_ISAL
    if (backend == KUVA_PNG_INFLATE_BEST) return &kuva_png_inflate_isal;
#endif
    (void)backend;
    return &kuva_png_inflate_zlib;
}

int kuva_png_is_zlib_header(unsigned cmf, unsigned flg) {
    return (cmf & 15) == 8 && (cmf >> 4) <= 7 && (flg & 32) == 0 && (cmf << 8 | flg) % 31 == 0;
}

size_t kuva_png_inflate_prefix(const uint8_t *input, size_t input_count, uint8_t *out, size_t out_count) {
    if (input_count < 2 || !kuva_png_is_zlib_header(input[0], input[1])) return 0;
    void *state = zlib_create();
    if (!state) return 0;
    inflate_io io = {input + 2, input_count - 2, out, out_count};
    zlib_run(state, &io);
    zlib_destroy(state);
    return out_count - io.out_count;
}

#ifndef KUVA_PNG_ISAL
uint32_t kuva_png_crc32(uint32_t crc, const uint8_t *bytes, size_t count) {
    return (uint32_t)crc32_z(crc, bytes, count);
}
#endif
