#ifndef KUVA_GTK_H
#define KUVA_GTK_H

#include <stddef.h>

/// How one texture takes the place of another.
typedef enum {
    /// The new one fades in over the old one.
    KUVA_GTK_CROSSFADE,
    /// The new one pushes the old one out.
    KUVA_GTK_SLIDE,
    /// The old one turns away and has the new one on its back.
    KUVA_GTK_FLIP
} kuva_gtk_transition;

/// The side from which the new texture comes.
typedef enum { KUVA_GTK_LEFT, KUVA_GTK_RIGHT, KUVA_GTK_TOP, KUVA_GTK_BOTTOM } kuva_gtk_edge;

/// How a picture of other proportions meets its place.
typedef enum {
    /// The widget decides: the paintable has the size of its picture and fills what it is given.
    KUVA_GTK_FIT_BY_WIDGET,
    /// The whole picture in the middle of the place.
    KUVA_GTK_FIT_CONTAIN,
    /// The place covered, with what hangs over cut off.
    KUVA_GTK_FIT_COVER,
    /// The place filled, whatever that does to proportions.
    KUVA_GTK_FIT_FILL,
    /// As contain, but never larger than the picture.
    KUVA_GTK_FIT_SCALE_DOWN
} kuva_gtk_fit;

/// Makes a `GdkPaintable` that shows one texture at a time. It has no size of its own while it shows none. Returns a new
/// reference.
void *kuva_gtk_paintable_new(void);

/// Calls `drawn(data)` each time that the paintable has been drawn with a texture, in the middle of the drawing: widgets must not
/// change before it is over. NULL ends the calls.
void kuva_gtk_paintable_observe(void *paintable, void (*drawn)(void *data), void *data);

/// Shows `texture` (a `GdkTexture`, or NULL for nothing) with a natural size of `width` by `height` logical pixels.
/// Widgets that show the paintable are laid out again only if the natural size changes. Takes no reference away.
void kuva_gtk_paintable_show(void *paintable, void *texture, double width, double height);

/// Who fits the picture into its place. By any other than the widget the paintable has no size of its own, whatever it
/// shows, so that no picture makes GTK lay anything out.
void kuva_gtk_paintable_set_fit(void *paintable, kuva_gtk_fit fit);

/// The texture shown; NULL for none. No new reference.
void *kuva_gtk_paintable_texture(void *paintable);

/// Keeps the texture that is shown now, for a transition to the one that is shown next; at progress 0.
void kuva_gtk_paintable_begin_transition(void *paintable, kuva_gtk_transition transition, kuva_gtk_edge edge);

/// How far the transition is, from 0 to 1; at 1 it ends and the old texture goes.
void kuva_gtk_paintable_set_progress(void *paintable, double progress);

/// Finds out which cells of lists and grids are in view, at least in part. The parent of a cell is the row that the list
/// made for it.
void kuva_gtk_find_cells_in_view(void *const *cells, size_t count, _Bool *are_in_view);

/// What the factory of a list has done to the rows of its items, in order, for somebody who looks at it later.
typedef struct kuva_gtk_row_notes kuva_gtk_row_notes;

/// One change: an item (`GtkListItem`) is bound to the row at a position, or unbound.
typedef struct {
    void *item;
    unsigned position;
} kuva_gtk_row_note;

/// The position of an item that is unbound.
#define KUVA_GTK_NO_ROW (~0u)

/// Makes notes that begin empty. `noted(data, item)` is called after each note that is the first.
kuva_gtk_row_notes *kuva_gtk_row_notes_new(void (*noted)(void *data, void *item), void *data);

/// Frees notes, after every factory that they are connected to has gone.
void kuva_gtk_row_notes_free(kuva_gtk_row_notes *notes);

/// Notes from now on what a `GtkSignalListItemFactory` binds and unbinds.
void kuva_gtk_row_notes_connect(kuva_gtk_row_notes *notes, void *factory);

/// Empties the notes. Returns how many there were, and in `rows` where they are until the next one is made.
size_t kuva_gtk_row_notes_take(kuva_gtk_row_notes *notes, const kuva_gtk_row_note **rows);

#endif
