#include "kuva_gtk.h"

#include <gtk/gtk.h>

struct kuva_gtk_row_notes {
    kuva_gtk_row_note *rows;
    size_t count, capacity;
    void (*noted)(void *data, void *item);
    void *data;
};

kuva_gtk_row_notes *kuva_gtk_row_notes_new(void (*noted)(void *data, void *item), void *data) {
    kuva_gtk_row_notes *notes = g_new0(kuva_gtk_row_notes, 1);
    notes->noted = noted;
    notes->data = data;
    return notes;
}

void kuva_gtk_row_notes_free(kuva_gtk_row_notes *notes) {
    g_free(notes->rows);
    g_free(notes);
}

static void add(kuva_gtk_row_notes *notes, void *item, unsigned position) {
    if (notes->count == notes->capacity) {
        notes->capacity = MAX(256, notes->capacity * 2);
        notes->rows = g_renew(kuva_gtk_row_note, notes->rows, notes->capacity);
    }
    notes->rows[notes->count++] = (kuva_gtk_row_note){item, position};
    if (notes->count == 1) notes->noted(notes->data, item);
}

static void on_bind(GtkListItemFactory *factory, GtkListItem *item, gpointer notes) {
    (void)factory;
    add(notes, item, gtk_list_item_get_position(item));
}

static void on_unbind(GtkListItemFactory *factory, GtkListItem *item, gpointer notes) {
    (void)factory;
    add(notes, item, KUVA_GTK_NO_ROW);
}

void kuva_gtk_row_notes_connect(kuva_gtk_row_notes *notes, void *factory) {
    g_signal_connect(factory, "bind", G_CALLBACK(on_bind), notes);
    g_signal_connect(factory, "unbind", G_CALLBACK(on_unbind), notes);
}

size_t kuva_gtk_row_notes_take(kuva_gtk_row_notes *notes, const kuva_gtk_row_note **rows) {
    size_t count = notes->count;
    notes->count = 0;
    *rows = notes->rows;
    return count;
}
