#include "inflate.h"
#ifdef KUVA_PNG_ISAL
#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <stdlib.h>

static void *isal_create(void) {
    struct inflate_state *state = malloc(sizeof *state);
    if (state) {
        isal_inflate_init(state);
        state->crc_flag = ISAL_DEFLATE;
    }
    return state;
}

static inflate_status isal_run(void *context, inflate_io *io) {
    struct inflate_state *state = context;
    const size_t most = (size_t)1 << 30;
    uint32_t input = (uint32_t)(io->input_count < most ? io->input_count : most);
    uint32_t out = (uint32_t)(io->out_count < most ? io->out_count : most);
    state->next_in = (uint8_t *)(uintptr_t)io->input;
    state->avail_in = input;
    state->next_out = io->out;
    state->avail_out = out;
    int code = isal_inflate(state);
    // At the end of the stream it gives back what it has not used, even bytes of the call before.
    uint32_t taken = state->avail_in < input ? input - state->avail_in : 0;
    io->input += taken;
    io->input_count -= taken;
    io->out += out - state->avail_out;
    io->out_count -= out - state->avail_out;
    if (code < 0) return INFLATE_BAD;
    return state->block_state == ISAL_BLOCK_FINISH ? INFLATE_END : INFLATE_MORE;
}

const inflate_backend kuva_png_inflate_isal = {isal_create, free, isal_run};

uint32_t kuva_png_crc32(uint32_t crc, const uint8_t *bytes, size_t count) {
    return crc32_gzip_refl(crc, bytes, count);
}
#endif
