import CGTK

/// What the window shows before there are pictures.
@MainActor
enum Welcome {
    static func make() -> Widget {
        let icon: Widget = gtk_image_new_from_icon_name("image-x-generic-symbolic")
        let hint = Make.text("Open a folder, or start with URLs or a feed: kuva-gallery -f feed.json", "hint")
        gtk_label_set_justify(hint.opaque, GTK_JUSTIFY_CENTER)
        gtk_label_set_xalign(hint.opaque, 0.5)
        let open = gtk_button_new_with_label("Open Folder…").styled("pill", "suggested-action")
        gtk_actionable_set_action_name(open.opaque, "app.open")
        gtk_widget_set_halign(open, GTK_ALIGN_CENTER)
        let box = Make.box(
            GTK_ORIENTATION_VERTICAL,
            spacing: 12,
            [icon, Make.label("No Pictures Yet", "title-1"), hint, open]
        ).styled("welcome")
        gtk_widget_set_valign(box, GTK_ALIGN_CENTER)
        gtk_widget_set_halign(box, GTK_ALIGN_CENTER)
        return box
    }
}
