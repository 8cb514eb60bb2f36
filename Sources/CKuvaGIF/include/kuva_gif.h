#ifndef KUVA_GIF_H
#define KUVA_GIF_H
#include <stddef.h>
#include <stdint.h>

/// How far a call came.
typedef enum {
    /// All input is used up; give more.
    KUVA_GIF_NEEDS_INPUT = 0,
    /// All pixels are there.
    KUVA_GIF_DONE = 1,
    /// The data say that they end, with fewer pixels than the frame has.
    KUVA_GIF_TOO_SHORT = 2,
    /// A code names an entry that the table does not have.
    KUVA_GIF_BAD_CODE = 3
} kuva_gif_status;

/// Decompresses the image data of one frame after the other (GIF89a, appendix F) into palette indices.
typedef struct kuva_gif_lzw kuva_gif_lzw;

/// Makes a decoder, or returns NULL if there is no memory.
kuva_gif_lzw *kuva_gif_lzw_new(void);
void kuva_gif_lzw_free(kuva_gif_lzw *lzw);

/// Begins a frame of `pixels` pixels. Returns 0 if there is no memory or the code size is not 1 to 11.
int kuva_gif_lzw_start(kuva_gif_lzw *lzw, size_t pixels, int minimum_code_size);

/// Reads data sub-blocks, each with its length in front, cut anywhere. `used` is how much of the input is used up.
kuva_gif_status kuva_gif_lzw_decode(kuva_gif_lzw *lzw, const uint8_t *input, size_t input_count, size_t *used);

/// The indices so far, at most as many as the frame has pixels; valid until the next frame begins.
const uint8_t *kuva_gif_lzw_indices(const kuva_gif_lzw *lzw, size_t *count);

/// Writes the RGBA8 pixel of each index; `palette` has 256 of them.
void kuva_gif_expand(const uint8_t *indices, size_t count, const uint8_t *palette, uint8_t *out);

/// Draws the RGBA8 pixel of each index over what is in `out`; pixels of the palette that are 0 are not drawn.
/// `transparent` is an index whose pixel is 0, or -1; long runs of it cost least.
void kuva_gif_draw(const uint8_t *indices, size_t count, const uint8_t *palette, int transparent, uint8_t *out);

#endif
