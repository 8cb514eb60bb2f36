#include "kuva_gtk.h"

#include <gtk/gtk.h>

static gboolean overlaps(double position, double extent, double view) {
    return position < view && position + extent > 0;
}

// Where the list itself scrolls, its rows are allocated in what it shows: nothing has to be computed.
static gboolean is_in_list(GtkWidget *row, GtkWidget *list) {
    GtkAllocation place;
    G_GNUC_BEGIN_IGNORE_DEPRECATIONS
    gtk_widget_get_allocation(row, &place);
    G_GNUC_END_IGNORE_DEPRECATIONS
    return overlaps(place.x, place.width, gtk_widget_get_width(list)) &&
           overlaps(place.y, place.height, gtk_widget_get_height(list));
}

static gboolean is_in_window(GtkWidget *cell) {
    GtkWidget *window = gtk_widget_get_ancestor(cell, GTK_TYPE_SCROLLED_WINDOW);
    if (!window) return TRUE;
    graphene_rect_t place;
    if (!gtk_widget_compute_bounds(cell, window, &place)) return FALSE;
    return overlaps(place.origin.x, place.size.width, gtk_widget_get_width(window)) &&
           overlaps(place.origin.y, place.size.height, gtk_widget_get_height(window));
}

void kuva_gtk_find_cells_in_view(void *const *cells, size_t count, _Bool *are_in_view) {
    GtkWidget *list = NULL;
    gboolean list_scrolls = FALSE;
    for (size_t index = 0; index < count; index++) {
        GtkWidget *cell = cells[index];
        are_in_view[index] = FALSE;
        if (!gtk_widget_get_mapped(cell)) continue;
        GtkWidget *row = gtk_widget_get_parent(cell), *parent = row ? gtk_widget_get_parent(row) : NULL;
        if (parent != list) {
            list = parent;
            list_scrolls = GTK_IS_SCROLLABLE(list) && GTK_IS_SCROLLED_WINDOW(gtk_widget_get_parent(list));
        }
        are_in_view[index] = list && list_scrolls ? is_in_list(row, list) : is_in_window(cell);
    }
}
