#include "kuva_gtk.h"

#include <gtk/gtk.h>
#include <math.h>

struct _KuvaPaintable {
    GObject parent_instance;
    GdkTexture *texture;
    double width;
    double height;
    kuva_gtk_fit fit;
    void (*drawn)(void *data);
    void *data;
    // While a transition runs.
    gboolean is_changing;
    GdkTexture *previous;
    kuva_gtk_transition transition;
    kuva_gtk_edge edge;
    double progress;
};

G_DECLARE_FINAL_TYPE(KuvaPaintable, kuva_paintable, KUVA, PAINTABLE, GObject)

// The place of the picture in the place of the paintable.
static graphene_rect_t fitted(const KuvaPaintable *self, double width, double height) {
    if (self->fit == KUVA_GTK_FIT_BY_WIDGET || self->fit == KUVA_GTK_FIT_FILL || self->width <= 0 || self->height <= 0) {
        return GRAPHENE_RECT_INIT(0, 0, (float)width, (float)height);
    }
    double horizontal = width / self->width, vertical = height / self->height;
    double factor = self->fit == KUVA_GTK_FIT_COVER ? MAX(horizontal, vertical) : MIN(horizontal, vertical);
    if (self->fit == KUVA_GTK_FIT_SCALE_DOWN) factor = MIN(factor, 1);
    double own_width = self->width * factor, own_height = self->height * factor;
    return GRAPHENE_RECT_INIT((float)((width - own_width) / 2), (float)((height - own_height) / 2), (float)own_width,
                              (float)own_height);
}

static void append(GtkSnapshot *snapshot, GdkTexture *texture, double width, double height) {
    graphene_rect_t bounds = GRAPHENE_RECT_INIT(0, 0, (float)width, (float)height);
    if (texture) gtk_snapshot_append_texture(snapshot, texture, &bounds);
}

// The texture that goes has proportions of its own: it covers the place of the one that comes.
static void append_previous(GtkSnapshot *snapshot, GdkTexture *texture, double width, double height) {
    if (!texture || width <= 0 || height <= 0) return;
    double own_width = gdk_texture_get_width(texture), own_height = gdk_texture_get_height(texture);
    double factor = MAX(width / own_width, height / own_height);
    double covering_width = own_width * factor, covering_height = own_height * factor;
    graphene_rect_t place = GRAPHENE_RECT_INIT(0, 0, (float)width, (float)height);
    graphene_rect_t bounds =
        GRAPHENE_RECT_INIT((float)((width - covering_width) / 2), (float)((height - covering_height) / 2),
                           (float)covering_width, (float)covering_height);
    gtk_snapshot_push_clip(snapshot, &place);
    gtk_snapshot_append_texture(snapshot, texture, &bounds);
    gtk_snapshot_pop(snapshot);
}

static void translate(GtkSnapshot *snapshot, double x, double y) {
    gtk_snapshot_translate(snapshot, &GRAPHENE_POINT_INIT((float)x, (float)y));
}

static void snapshot_slide(KuvaPaintable *self, GtkSnapshot *snapshot, double width, double height) {
    double x = self->edge == KUVA_GTK_LEFT ? -width : self->edge == KUVA_GTK_RIGHT ? width : 0;
    double y = self->edge == KUVA_GTK_TOP ? -height : self->edge == KUVA_GTK_BOTTOM ? height : 0;
    gtk_snapshot_push_clip(snapshot, &GRAPHENE_RECT_INIT(0, 0, (float)width, (float)height));
    gtk_snapshot_save(snapshot);
    translate(snapshot, -x * self->progress, -y * self->progress);
    append_previous(snapshot, self->previous, width, height);
    translate(snapshot, x, y);
    append(snapshot, self->texture, width, height);
    gtk_snapshot_restore(snapshot);
    gtk_snapshot_pop(snapshot);
}

// Without perspective, which not every renderer can draw: a card that turns gets narrow and wide again.
static void snapshot_flip(KuvaPaintable *self, GtkSnapshot *snapshot, double width, double height) {
    double factor = fabs(cos(G_PI * self->progress));
    gboolean is_horizontal = self->edge == KUVA_GTK_LEFT || self->edge == KUVA_GTK_RIGHT;
    if (factor < 1e-3) return;
    gtk_snapshot_save(snapshot);
    translate(snapshot, width / 2, height / 2);
    gtk_snapshot_scale(snapshot, is_horizontal ? (float)factor : 1, is_horizontal ? 1 : (float)factor);
    translate(snapshot, -width / 2, -height / 2);
    if (self->progress < 0.5) {
        append_previous(snapshot, self->previous, width, height);
    } else {
        append(snapshot, self->texture, width, height);
    }
    gtk_snapshot_restore(snapshot);
}

static void snapshot_transition(KuvaPaintable *self, GtkSnapshot *snapshot, double width, double height) {
    switch (self->transition) {
    case KUVA_GTK_SLIDE: return snapshot_slide(self, snapshot, width, height);
    case KUVA_GTK_FLIP: return snapshot_flip(self, snapshot, width, height);
    case KUVA_GTK_CROSSFADE: break;
    }
    gtk_snapshot_push_cross_fade(snapshot, self->progress);
    append_previous(snapshot, self->previous, width, height);
    gtk_snapshot_pop(snapshot);
    append(snapshot, self->texture, width, height);
    gtk_snapshot_pop(snapshot);
}

static void snapshot(GdkPaintable *paintable, GdkSnapshot *gdk_snapshot, double width, double height) {
    GtkSnapshot *snapshot = GTK_SNAPSHOT(gdk_snapshot);
    KuvaPaintable *self = KUVA_PAINTABLE(paintable);
    graphene_rect_t place = fitted(self, width, height);
    gboolean is_cut = place.size.width > (float)width || place.size.height > (float)height;
    gboolean is_moved = place.origin.x != 0 || place.origin.y != 0;
    if (is_cut) gtk_snapshot_push_clip(snapshot, &GRAPHENE_RECT_INIT(0, 0, (float)width, (float)height));
    if (is_moved) {
        gtk_snapshot_save(snapshot);
        gtk_snapshot_translate(snapshot, &place.origin);
    }
    if (self->is_changing) {
        snapshot_transition(self, snapshot, place.size.width, place.size.height);
    } else {
        append(snapshot, self->texture, place.size.width, place.size.height);
    }
    if (is_moved) gtk_snapshot_restore(snapshot);
    if (is_cut) gtk_snapshot_pop(snapshot);
    if (self->drawn && self->texture) self->drawn(self->data);
}

static GdkPaintable *current_image(GdkPaintable *paintable) {
    KuvaPaintable *self = KUVA_PAINTABLE(paintable);
    return self->texture ? GDK_PAINTABLE(g_object_ref(self->texture)) : gdk_paintable_new_empty(0, 0);
}

static int intrinsic_width(GdkPaintable *paintable) {
    KuvaPaintable *self = KUVA_PAINTABLE(paintable);
    return self->fit == KUVA_GTK_FIT_BY_WIDGET ? (int)ceil(self->width) : 0;
}

static int intrinsic_height(GdkPaintable *paintable) {
    KuvaPaintable *self = KUVA_PAINTABLE(paintable);
    return self->fit == KUVA_GTK_FIT_BY_WIDGET ? (int)ceil(self->height) : 0;
}

static double intrinsic_aspect_ratio(GdkPaintable *paintable) {
    KuvaPaintable *self = KUVA_PAINTABLE(paintable);
    return self->fit == KUVA_GTK_FIT_BY_WIDGET && self->height > 0 ? self->width / self->height : 0;
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
    g_clear_object(&self->previous);
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
    if (is_resized && self->fit == KUVA_GTK_FIT_BY_WIDGET) gdk_paintable_invalidate_size(GDK_PAINTABLE(self));
    if (is_changed || is_resized) gdk_paintable_invalidate_contents(GDK_PAINTABLE(self));
}

void kuva_gtk_paintable_set_fit(void *paintable, kuva_gtk_fit fit) {
    KuvaPaintable *self = KUVA_PAINTABLE(paintable);
    if (self->fit == fit) return;
    gboolean changes_size = self->fit == KUVA_GTK_FIT_BY_WIDGET || fit == KUVA_GTK_FIT_BY_WIDGET;
    self->fit = fit;
    if (changes_size) gdk_paintable_invalidate_size(GDK_PAINTABLE(self));
    gdk_paintable_invalidate_contents(GDK_PAINTABLE(self));
}

void *kuva_gtk_paintable_texture(void *paintable) { return KUVA_PAINTABLE(paintable)->texture; }

void kuva_gtk_paintable_begin_transition(void *paintable, kuva_gtk_transition transition, kuva_gtk_edge edge) {
    KuvaPaintable *self = KUVA_PAINTABLE(paintable);
    g_set_object(&self->previous, self->texture);
    self->is_changing = TRUE;
    self->transition = transition;
    self->edge = edge;
    self->progress = 0;
}

void kuva_gtk_paintable_set_progress(void *paintable, double progress) {
    KuvaPaintable *self = KUVA_PAINTABLE(paintable);
    if (!self->is_changing) return;
    self->progress = progress;
    if (progress >= 1) {
        self->is_changing = FALSE;
        g_clear_object(&self->previous);
    }
    gdk_paintable_invalidate_contents(GDK_PAINTABLE(self));
}
