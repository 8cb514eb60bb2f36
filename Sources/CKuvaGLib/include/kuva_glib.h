#ifndef KUVA_GLIB_H
#define KUVA_GLIB_H

/// A source that runs libdispatch's main queue from a GLib main context. Opaque; see `kuva_glib_detach`.
typedef struct kuva_glib_source kuva_glib_source;

/// Whether libdispatch lets an outside loop watch and drain its main queue: 1 or 0.
int kuva_glib_has_descriptor(void);

/// Whether the calling thread is the one that the process started with: 1 or 0.
int kuva_glib_on_main_thread(void);

/// Watches the descriptor of libdispatch's main queue in the default main context, below redrawing
/// (priority 200). Returns NULL if libdispatch does not have it.
kuva_glib_source *kuva_glib_attach_descriptor(void);

/// Runs one pass of the main run loop, which drains the main queue, every `milliseconds` in the default main context.
/// Returns NULL if there is no run loop to be found either.
kuva_glib_source *kuva_glib_attach_polling(unsigned milliseconds);

/// Takes the source out of its context and frees it.
void kuva_glib_detach(kuva_glib_source *source);

#endif
