#ifndef KUVA_WEBP_MUX_H
#define KUVA_WEBP_MUX_H
#include <stddef.h>
#include <stdint.h>

/// An animated WebP being written through libwebpmux.
typedef struct kuva_webp_animation kuva_webp_animation;

typedef enum {
    KUVA_WEBP_MUX_OK = 0,
    KUVA_WEBP_MUX_NO_MEMORY = 1,
    KUVA_WEBP_MUX_FAILED = 2,
    KUVA_WEBP_MUX_STOPPED = 3
} kuva_webp_mux_status;

/// Asked now and then whether to go on; returns 0 to stop.
typedef int (*kuva_webp_mux_go_on)(void *context);

/// `loop_count` is 0 for ever. Quality is 0 to 100; with `is_lossless` it is effort. NULL without memory, or for sides
/// that WebP does not allow.
kuva_webp_animation *kuva_webp_animation_new(uint32_t width, uint32_t height, uint32_t loop_count, float quality,
                                             int is_lossless);
void kuva_webp_animation_free(kuva_webp_animation *animation);

/// Adds rows of straight RGBA8 that are shown from `milliseconds` on; with `is_opaque` alpha is left out.
kuva_webp_mux_status kuva_webp_animation_add(kuva_webp_animation *animation, const uint8_t *rows, size_t bytes_per_row,
                                             int is_opaque, int32_t milliseconds, kuva_webp_mux_go_on go_on,
                                             void *context);

/// Ends the file at `milliseconds`. `file` must be freed with kuva_webp_mux_free; it is NULL after a failure.
kuva_webp_mux_status kuva_webp_animation_finish(kuva_webp_animation *animation, int32_t milliseconds, uint8_t **file,
                                                size_t *count);
void kuva_webp_mux_free(uint8_t *file);

#endif
