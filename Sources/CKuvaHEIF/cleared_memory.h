#ifndef KUVA_HEIF_CLEARED_MEMORY_H
#define KUVA_HEIF_CLEARED_MEMORY_H

/// From the first begin to the last end, on whatever threads, malloc gives out memory filled with zero, where the C
/// library can do that.
///
/// A broken HEVC stream leaves holes in its picture, which libde265 fills with nothing and says nothing about: they
/// would show what the process had in that memory before. Its hook for picture memory does not reach the picture it
/// works on where a stream uses sample adaptive offset, so the hook that reaches all memory is used.
void kuva_heif_begin_cleared_memory(void);
void kuva_heif_end_cleared_memory(void);

#endif
