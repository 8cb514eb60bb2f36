internal import CGTK
internal import FoundationEssentials
internal import KuvaCore
internal import KuvaUI

/// What users can do with the picture of a view: drag it to another program, copy it, and reach both from a menu.
public struct ImageActionSet: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// Makes a set from bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Dragging takes the picture, and its address, to another program.
    public static let drag = ImageActionSet(rawValue: 1)
    /// The second button of the pointer, a long press or the menu key opens a menu: copy the picture, copy its address,
    /// open it in the browser, load it again.
    public static let contextMenu = ImageActionSet(rawValue: 2)
    /// Everything.
    public static let all: ImageActionSet = [.drag, .contextMenu]
}

/// The controllers behind an ``ImageActionSet``.
@MainActor
final class ImageActions {
    let set: ImageActionSet
    private unowned let view: ImageView
    private var controllers: [OpaquePointer] = []
    private var dragSource: OpaquePointer?
    private var menu: ImageMenu?

    init(_ set: ImageActionSet, of view: ImageView) {
        self.set = set
        self.view = view
        if set.contains(.drag) { addDragging() }
        if set.contains(.contextMenu) { menu = ImageMenu(of: view) }
        pictureChanged()
    }

    /// Ends it. The widget must still live.
    func stop() {
        for controller in controllers { gtk_widget_remove_controller(view.widget.asWidget, controller) }
        controllers = []
        dragSource = nil
        menu?.stop()
        menu = nil
    }

    /// The view shows something else now.
    func pictureChanged() {
        if let dragSource {
            let content = view.makeContent()
            gtk_drag_source_set_content(dragSource, content)
            if let content { g_object_unref(UnsafeMutableRawPointer(content)) }
        }
        menu?.update()
    }

    /// Opens the menu in the middle of the view; returns whether there is one.
    func openMenu() -> Bool {
        menu?.open()
        return menu != nil
    }

    private func addDragging() {
        guard let source = gtk_drag_source_new() else { return }
        gtk_widget_add_controller(view.widget.asWidget, source)
        controllers.append(source)
        dragSource = source
        Signal.connect(UnsafeMutableRawPointer(source), "drag-begin") { [weak self] in self?.setIcon() }
    }

    /// What hangs at the pointer: the picture, small.
    private func setIcon() {
        guard let dragSource, let texture = view.surface.texture else { return }
        let (width, height) = (gdk_texture_get_width(texture.opaque), gdk_texture_get_height(texture.opaque))
        let factor = min(1, 96 / Double(max(width, height, 1)))
        guard let snapshot = gtk_snapshot_new() else { return }
        let (iconWidth, iconHeight) = (Double(width) * factor, Double(height) * factor)
        gdk_paintable_snapshot(texture.opaque, snapshot, iconWidth, iconHeight)
        var size = graphene_size_t(width: Float(iconWidth), height: Float(iconHeight))
        guard let icon = gtk_snapshot_free_to_paintable(snapshot, &size) else { return }
        gtk_drag_source_set_icon(dragSource, icon, Int32(iconWidth / 2), Int32(iconHeight / 2))
        g_object_unref(UnsafeMutableRawPointer(icon))
    }
}

extension ImageView {
    /// What users can do with the picture; nothing by default.
    public var enabledActions: ImageActionSet {
        get { actions?.set ?? [] }
        set {
            guard isAlive, newValue != enabledActions else { return }
            actions?.stop()
            actions = newValue.isEmpty ? nil : ImageActions(newValue, of: self)
        }
    }

    /// Puts the picture that is seen on the clipboard, and its address for programs that take text. Returns whether there
    /// was something to copy.
    @discardableResult
    public func copyToClipboard() -> Bool {
        guard isAlive, let content = makeContent() else { return false }
        defer { g_object_unref(UnsafeMutableRawPointer(content)) }
        return gdk_clipboard_set_content(gtk_widget_get_clipboard(widget.asWidget), content) != 0
    }

    /// Puts the address of the picture on the clipboard. Returns whether there is one.
    @discardableResult
    public func copyAddressToClipboard() -> Bool {
        guard isAlive, let url = imageURL(in: currentSlot) else { return false }
        gdk_clipboard_set_text(gtk_widget_get_clipboard(widget.asWidget), url.absoluteString)
        return true
    }

    /// Loads the picture again from its source, whatever the caches have.
    public func reload() {
        guard isAlive, let url = imageURL(in: currentSlot) else { return }
        var request = ImageRequest(url: url, priority: .high, cachePolicy: .reload)
        request.retriesFailed = true
        setImage(request, in: currentSlot, options: ViewLoadOptions(whileLoading: .currentImage))
    }

    /// The picture that is seen and its address, for other programs: a new reference; `nil` if there is no picture.
    func makeContent() -> UnsafeMutablePointer<GdkContentProvider>? {
        guard let texture = surface.texture else { return nil }
        var value = GValue()
        g_value_init(&value, gdk_texture_get_type())
        g_value_set_object(&value, texture)
        defer { g_value_unset(&value) }
        guard let picture = gdk_content_provider_new_for_value(&value) else { return nil }
        guard let url = imageURL(in: currentSlot) else { return picture }
        var address = GValue()
        g_value_init(&address, FundamentalType.string)
        g_value_set_string(&address, url.absoluteString)
        defer { g_value_unset(&address) }
        var providers: [UnsafeMutablePointer<GdkContentProvider>?] = [
            picture, gdk_content_provider_new_for_value(&address),
        ]
        // The union takes over the references.
        return gdk_content_provider_new_union(&providers, gsize(providers.count))
    }
}
