#include "kuva_gtk.h"

#include <gtk/gtk.h>
#include <math.h>

struct _KuvaPaintable {
    GObject parent_instance;
    GdkTexture *texture;
    double width;
    double height;
    void (*drawn)(void *data);
    void *data;
};

G_DECLARE_FINAL_TYPE(KuvaPaintable, kuva_paintable, KUVA, PAINTABLE, GObject)

static void snapshot(GdkPaintable *paintable, GdkSnapshot *snapshot, double width, double height) {
    KuvaPaintable *self = KUVA_PAINTABLE(paintable);
    if (self->texture) {
        graphene_rect_t bounds = GRAPHENE_RECT_INIT(0, 0, (float)width, (float)height);
        gtk_snapshot_append_texture(GTK_SNAPSHOT(snapshot), self->texture, &bounds);
    }
    if (self->drawn) self->drawn(self->data);
}

static GdkPaintable *current_image(GdkPaintable *paintable) {
    KuvaPaintable *self = KUVA_PAINTABLE(paintable);
    return self->texture ? GDK_PAINTABLE(g_object_ref(self->texture)) : gdk_paintable_new_empty(0, 0);
}

static int intrinsic_width(GdkPaintable *paintable) { return (int)ceil(KUVA_PAINTABLE(paintable)->width); }

static int intrinsic_height(GdkPaintable *paintable) { return (int)ceil(KUVA_PAINTABLE(paintable)->height); }

static double intrinsic_aspect_ratio(GdkPaintable *paintable) {
    KuvaPaintable *self = KUVA_PAINTABLE(paintable);
    return self->height > 0 ? self->width / self->height : 0;
}

static void paintable_init(GdkPaintableInterface *interface) {
    interface->snapshot = snapshot;
    interface->get_current_image = current_image;
    interface->get_intrinsic_width = intrinsic_width;
    interface->get_intrinsic_height = intrinsic_height;
    interface->get_intrinsic_aspect_ratio = intrinsic_aspect_ratio;
}

G_DEFINE_TYPE_WITH_CODE(KuvaPaintable, kuva_paintable, G_TYPE_OBJECT,
                        G_IMPLEMENT_INTERFACE(GDK_TYPE_PAINTABLE, paintable_init))

static void dispose(GObject *object) {
    KuvaPaintable *self = KUVA_PAINTABLE(object);
    g_clear_object(&self->texture);
    self->drawn = NULL;
    G_OBJECT_CLASS(kuva_paintable_parent_class)->dispose(object);
}

static void kuva_paintable_class_init(KuvaPaintableClass *class) { G_OBJECT_CLASS(class)->dispose = dispose; }

static void kuva_paintable_init(KuvaPaintable *self) { (void)self; }

void *kuva_gtk_paintable_new(void) { return g_object_new(kuva_paintable_get_type(), NULL); }

void kuva_gtk_paintable_observe(void *paintable, void (*drawn)(void *data), void *data) {
    KuvaPaintable *self = KUVA_PAINTABLE(paintable);
    self->drawn = drawn;
    self->data = data;
}

void kuva_gtk_paintable_show(void *paintable, void *texture, double width, double height) {
    KuvaPaintable *self = KUVA_PAINTABLE(paintable);
    if (!texture) width = height = 0;
    gboolean is_resized = self->width != width || self->height != height;
    self->width = width;
    self->height = height;
    gboolean is_changed = g_set_object(&self->texture, texture);
    if (is_resized) gdk_paintable_invalidate_size(GDK_PAINTABLE(self));
    if (is_changed || is_resized) gdk_paintable_invalidate_contents(GDK_PAINTABLE(self));
}

void *kuva_gtk_paintable_texture(void *paintable) { return KUVA_PAINTABLE(paintable)->texture; }
