#ifndef KUVA_PDF_H
#define KUVA_PDF_H
#include <stddef.h>
#include <stdint.h>

/// A program that reads a file from its standard input and answers on its standard output, with little that it may take.
typedef struct kuva_pdf kuva_pdf;

typedef struct {
    uint64_t cpu_seconds;
    /// Of address space.
    uint64_t memory_bytes;
} kuva_pdf_limits;

/// Starts a program, found on the path, with an environment of nothing but that path. `arguments` ends with `NULL`.
/// The limits hold before it gets a byte of the file; it can write no file and leaves no core.
/// `NULL` where it cannot be started, which `error` says as an errno.
kuva_pdf *kuva_pdf_start(char *const *arguments, kuva_pdf_limits limits, int *error);

enum {
    KUVA_PDF_WAITING = 0,
    KUVA_PDF_ENDED = -1,
    KUVA_PDF_FAILED = -2,
};

/// Gives it what it takes of the file and reads what it answers, waiting for either for at most `milliseconds`. The
/// file is the same at each call. Returns how many bytes were read into `answer`, or one of the above.
int64_t kuva_pdf_exchange(kuva_pdf *pdf, const uint8_t *file, size_t count, uint8_t *answer, size_t capacity,
                          int milliseconds);

typedef enum {
    KUVA_PDF_WENT_WELL,
    /// It says so itself.
    KUVA_PDF_WENT_WRONG,
    /// A limit, or its own fault, ended it.
    KUVA_PDF_WAS_STOPPED,
} kuva_pdf_outcome;

/// Ends it, by force unless it ends by itself soon after its answer, and frees what is left.
kuva_pdf_outcome kuva_pdf_end(kuva_pdf *pdf);

#endif
