#include <gif_lib.h>
#include <stdlib.h>
#include <string.h>
#include "bare_support.h"
#include "include/bare_codecs.h"

typedef struct {
    const uint8_t *bytes;
    size_t count, position;
} source;

static int read_bytes(GifFileType *gif, GifByteType *out, int count) {
    source *from = gif->UserData;
    size_t left = from->count - from->position, wanted = (size_t)count < left ? (size_t)count : left;
    memcpy(out, from->bytes + from->position, wanted);
    from->position += wanted;
    return (int)wanted;
}

typedef struct {
    int x, y, width, height, disposal;
} drawn;

static void clear(uint8_t *screen, int width, int height, drawn d) {
    for (int y = d.y; y < d.y + d.height && y < height; y++) {
        int count = d.x + d.width > width ? width - d.x : d.width;
        if (count > 0) memset(screen + ((size_t)y * width + d.x) * 4, 0, (size_t)count * 4);
    }
}

static int draw(GifFileType *gif, uint8_t *screen, uint8_t *line, int transparent) {
    static const int first[] = {0, 4, 2, 1}, step[] = {8, 8, 4, 2};
    const GifImageDesc *image = &gif->Image;
    const ColorMapObject *map = image->ColorMap ? image->ColorMap : gif->SColorMap;
    int passes = image->Interlace ? 4 : 1;
    for (int pass = 0; pass < passes; pass++) {
        for (int y = image->Interlace ? first[pass] : 0; y < image->Height; y += image->Interlace ? step[pass] : 1) {
            if (DGifGetLine(gif, line, image->Width) == GIF_ERROR) return 0;
            int row = image->Top + y;
            if (row >= gif->SHeight || !map) continue;
            uint8_t *out = screen + ((size_t)row * gif->SWidth + image->Left) * 4;
            int count = image->Left + image->Width > gif->SWidth ? gif->SWidth - image->Left : image->Width;
            for (int x = 0; x < count; x++, out += 4) {
                int index = line[x];
                if (index == transparent || index >= map->ColorCount) continue;
                const GifColorType *colour = &map->Colors[index];
                out[0] = colour->Red, out[1] = colour->Green, out[2] = colour->Blue, out[3] = 255;
            }
        }
    }
    return -1;
}

int bare_decode_gif(bare_picture *picture, const uint8_t *bytes, size_t count, int fit) {
    (void)fit;
    source from = {bytes, count, 0};
    int error;
    GifFileType *gif = DGifOpen(&from, read_bytes, &error);
    if (!gif) return -1;
    size_t size = (size_t)gif->SWidth * (size_t)gif->SHeight * 4;
    uint8_t *screen = calloc(size, 1), *saved = malloc(size), *line = malloc(1 << 16);
    if (!screen || !saved || !line || bare_reserve(picture, gif->SWidth, gif->SHeight)) return -1;
    GraphicsControlBlock control = {0, false, 0, -1};
    drawn last = {0};
    GifRecordType type;
    int is_good = 1, frames = 0;
    while (is_good && DGifGetRecordType(gif, &type) != GIF_ERROR && type != TERMINATE_RECORD_TYPE) {
        if (type == EXTENSION_RECORD_TYPE) {
            int code;
            GifByteType *data;
            is_good = DGifGetExtension(gif, &code, &data) != GIF_ERROR;
            if (is_good && code == GRAPHICS_EXT_FUNC_CODE && data && data[0] >= 4) {
                DGifExtensionToGCB(data[0], data + 1, &control);
            }
            while (is_good && data) is_good = DGifGetExtensionNext(gif, &data) != GIF_ERROR;
            continue;
        }
        if (type != IMAGE_DESC_RECORD_TYPE) continue;
        if (DGifGetImageDesc(gif) == GIF_ERROR) break;
        if (last.disposal == 2) clear(screen, gif->SWidth, gif->SHeight, last);
        if (last.disposal == 3) memcpy(screen, saved, size);
        if (control.DisposalMode == 3) memcpy(saved, screen, size);
        is_good = draw(gif, screen, line, control.TransparentColor);
        last = (drawn){gif->Image.Left, gif->Image.Top, gif->Image.Width, gif->Image.Height, control.DisposalMode};
        memcpy(picture->pixels, screen, size);
        frames++;
        control = (GraphicsControlBlock){0, false, 0, -1};
    }
    free(screen);
    free(saved);
    free(line);
    DGifCloseFile(gif, &error);
    return frames > 0 ? 0 : -1;
}
