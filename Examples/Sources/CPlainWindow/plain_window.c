#include "plain_window.h"

GtkWindow *plain_window_new(GtkPicture **picture) {
    GtkWidget *window = gtk_window_new();
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6);
    GtkWidget *image = gtk_picture_new();
    gtk_widget_set_vexpand(image, TRUE);
    gtk_box_append(GTK_BOX(box), gtk_label_new("Everything here is C, but what fills the picture"));
    gtk_box_append(GTK_BOX(box), image);
    gtk_window_set_child(GTK_WINDOW(window), box);
    gtk_window_set_default_size(GTK_WINDOW(window), 800, 600);
    *picture = GTK_PICTURE(image);
    return GTK_WINDOW(window);
}
