#define _GNU_SOURCE
#include "kuva_glib.h"

#include <dlfcn.h>
#include <glib-unix.h>
#include <glib.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

// What CoreFoundation itself uses to run the main queue. Weak, so that a libdispatch without them still links, and so
// that they are found in a statically linked program too, where a look-up by name would see nothing.
extern int _dispatch_get_main_queue_handle_4CF(void) __attribute__((weak));
extern void _dispatch_main_queue_callback_4CF(void *) __attribute__((weak));
extern int32_t CFRunLoopRunInMode(const void *mode, double seconds, unsigned char returns_after_source)
    __attribute__((weak));
extern const void *const kCFRunLoopDefaultMode __attribute__((weak));

typedef int32_t (*run_in_mode)(const void *, double, unsigned char);

struct run_loop {
    run_in_mode run;
    const void *mode;
};

// Below GDK's redraw (120), so that a storm of main-actor work cannot stop the picture from moving.
enum { bridge_priority = G_PRIORITY_DEFAULT_IDLE };

int kuva_glib_has_descriptor(void) {
    return _dispatch_get_main_queue_handle_4CF && _dispatch_main_queue_callback_4CF;
}

int kuva_glib_on_main_thread(void) { return syscall(SYS_gettid) == getpid(); }

static kuva_glib_source *attach(GSource *source, const char *name) {
    g_source_set_name(source, name);
    g_source_set_priority(source, bridge_priority);
    g_source_attach(source, NULL);
    return (kuva_glib_source *)source;
}

static gboolean main_queue_is_ready(gint descriptor, GIOCondition condition, gpointer data) {
    (void)condition;
    (void)data;
    // Read before draining: work that arrives while the queue drains raises the descriptor again.
    uint64_t count;
    if (read(descriptor, &count, sizeof count) < 0) count = 0;
    _dispatch_main_queue_callback_4CF(NULL);
    return G_SOURCE_CONTINUE;
}

kuva_glib_source *kuva_glib_attach_descriptor(void) {
    if (!kuva_glib_has_descriptor()) return NULL;
    int descriptor = _dispatch_get_main_queue_handle_4CF();
    if (descriptor < 0) return NULL;
    GSource *source = g_unix_fd_source_new(descriptor, G_IO_IN);
    g_source_set_callback(source, G_SOURCE_FUNC(main_queue_is_ready), NULL, NULL);
    return attach(source, "Swift main queue");
}

static struct run_loop find_run_loop(void) {
    if (CFRunLoopRunInMode && &kCFRunLoopDefaultMode) {
        return (struct run_loop){CFRunLoopRunInMode, kCFRunLoopDefaultMode};
    }
    void *foundation = dlopen("libFoundation.so", RTLD_NOW | RTLD_GLOBAL);
    if (!foundation) return (struct run_loop){NULL, NULL};
    const void *const *mode = dlsym(foundation, "kCFRunLoopDefaultMode");
    void *run = dlsym(foundation, "CFRunLoopRunInMode");
    return (struct run_loop){(run_in_mode)run, mode ? *mode : NULL};
}

static gboolean run_loop_is_due(gpointer data) {
    const struct run_loop *loop = data;
    loop->run(loop->mode, 0, 0);
    return G_SOURCE_CONTINUE;
}

kuva_glib_source *kuva_glib_attach_polling(unsigned milliseconds) {
    struct run_loop found = find_run_loop();
    if (!found.run || !found.mode) return NULL;
    struct run_loop *loop = g_new(struct run_loop, 1);
    *loop = found;
    GSource *source = g_timeout_source_new(milliseconds);
    g_source_set_callback(source, run_loop_is_due, loop, g_free);
    return attach(source, "Swift main run loop");
}

void kuva_glib_detach(kuva_glib_source *source) {
    g_source_destroy((GSource *)source);
    g_source_unref((GSource *)source);
}
