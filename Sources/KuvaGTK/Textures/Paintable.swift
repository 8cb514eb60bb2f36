internal import CGTK
internal import CKuvaGTK
internal import KuvaCore
internal import KuvaUI

/// Owns a `GdkPaintable` that shows one picture at a time.
///
/// It stays in its widget while pictures come and go, has their size in points, draws the transitions between them, and
/// says when it has been drawn.
struct Paintable: ~Copyable {
    /// The `GdkPaintable`.
    let pointer: UnsafeMutableRawPointer

    init() { pointer = kuva_gtk_paintable_new() }

    deinit {
        stopObserving()
        g_object_unref(pointer)
    }

    /// Calls `drawn` each time that the paintable has been drawn: in the middle of drawing, when no widget may change.
    ///
    /// - Parameter owner: what `drawn` gets; not kept alive.
    func observe(_ owner: UnsafeMutableRawPointer, drawn: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void) {
        kuva_gtk_paintable_observe(pointer, drawn, owner)
    }

    /// Ends the calls.
    func stopObserving() { kuva_gtk_paintable_observe(pointer, nil, nil) }

    /// The `GdkTexture` that is shown; no new reference.
    var texture: UnsafeMutableRawPointer? { kuva_gtk_paintable_texture(pointer) }

    /// Shows a picture, or nothing.
    func show(_ image: Image?) {
        guard let image, let texture = image.pixels.sharedTexture() else {
            return kuva_gtk_paintable_show(pointer, nil, 0, 0)
        }
        kuva_gtk_paintable_show(pointer, UnsafeMutableRawPointer(texture), image.width, image.height)
        g_object_unref(UnsafeMutableRawPointer(texture))
    }

    /// Who fits pictures into their place: the widget (`nil`), or the paintable, which then has no size of its own.
    func setFit(_ fit: ContentFit?) { kuva_gtk_paintable_set_fit(pointer, fit.paintableFit) }

    /// Keeps what is shown for a transition to what is shown next. Custom transitions draw nothing themselves.
    func beginTransition(_ style: ImageTransition.Style, isRightToLeft: Bool) {
        switch style {
        case .crossfade: kuva_gtk_paintable_begin_transition(pointer, KUVA_GTK_CROSSFADE, KUVA_GTK_LEFT)
        case .slide(let edge):
            kuva_gtk_paintable_begin_transition(pointer, KUVA_GTK_SLIDE, edge.side(isRightToLeft: isRightToLeft))
        case .flip(let edge):
            kuva_gtk_paintable_begin_transition(pointer, KUVA_GTK_FLIP, edge.side(isRightToLeft: isRightToLeft))
        case .custom: break
        }
    }

    /// How far the transition is, from 0 to 1; at 1 it ends.
    func setTransitionProgress(_ progress: Double) { kuva_gtk_paintable_set_progress(pointer, progress) }
}

extension ContentFit? {
    fileprivate var paintableFit: kuva_gtk_fit {
        switch self {
        case nil: KUVA_GTK_FIT_BY_WIDGET
        case .contain: KUVA_GTK_FIT_CONTAIN
        case .cover: KUVA_GTK_FIT_COVER
        case .fill: KUVA_GTK_FIT_FILL
        case .scaleDown: KUVA_GTK_FIT_SCALE_DOWN
        }
    }
}

extension ImageTransition.Edge {
    fileprivate func side(isRightToLeft: Bool) -> kuva_gtk_edge {
        switch self {
        case .leading: isRightToLeft ? KUVA_GTK_RIGHT : KUVA_GTK_LEFT
        case .trailing: isRightToLeft ? KUVA_GTK_LEFT : KUVA_GTK_RIGHT
        case .top: KUVA_GTK_TOP
        case .bottom: KUVA_GTK_BOTTOM
        }
    }
}
