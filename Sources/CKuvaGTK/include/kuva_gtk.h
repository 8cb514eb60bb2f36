#ifndef KUVA_GTK_H
#define KUVA_GTK_H

/// Makes a `GdkPaintable` that shows one texture at a time. It has no size of its own while it shows none. Returns a new
/// reference.
void *kuva_gtk_paintable_new(void);

/// Calls `drawn(data)` each time that the paintable has been drawn, in the middle of the drawing: widgets must not
/// change before it is over. NULL ends the calls.
void kuva_gtk_paintable_observe(void *paintable, void (*drawn)(void *data), void *data);

/// Shows `texture` (a `GdkTexture`, or NULL for nothing) with a natural size of `width` by `height` logical pixels.
/// Widgets that show the paintable are laid out again only if the natural size changes. Takes no reference away.
void kuva_gtk_paintable_show(void *paintable, void *texture, double width, double height);

/// The texture shown; NULL for none. No new reference.
void *kuva_gtk_paintable_texture(void *paintable);

#endif
