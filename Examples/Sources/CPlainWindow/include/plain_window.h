#ifndef PLAIN_WINDOW_H
#define PLAIN_WINDOW_H

#include <gtk/gtk.h>

/// Makes a window as C programs do. `picture` becomes its GtkPicture, which belongs to the window.
GtkWindow *plain_window_new(GtkPicture **picture);

#endif
