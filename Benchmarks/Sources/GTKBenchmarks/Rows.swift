import CGTK
import Foundation
import Kuva
import KuvaGTK

/// What fills the cells of a list.
@MainActor
protocol Rows: AnyObject {
    /// Makes the `GtkListItemFactory`.
    func makeFactory() -> OpaquePointer?
    /// Pictures that have come to the cells for which they were loaded.
    var deliveredCount: Int { get }
    /// Ends what runs and waits for its end.
    func end()
}

/// The size of a cell in points.
private let cellSize: (width: Int32, height: Int32) = (180, 135)

/// Kuva's own list.
@MainActor
final class KuvaRows: Rows {
    private(set) var deliveredCount = 0
    private let manager: ImageManager
    private let factory: ImageListFactory

    init(_ count: Int, _ manager: ImageManager, _ addresses: Addresses) {
        self.manager = manager
        final class Box { weak var rows: KuvaRows? }
        let box = Box()
        factory = ImageListFactory(
            manager: manager,
            count: { count },
            request: { ImageRequest(url: addresses[$0]) },
            makeCell: { Cell(manager) { box.rows?.deliveredCount += 1 } }
        )
        box.rows = self
    }

    func makeFactory() -> OpaquePointer? { OpaquePointer(factory.makeFactory()) }

    func end() {
        manager.cancelAll()
        runLoop { !manager.isRunning }
    }

    private final class Cell: ImageCell {
        let imageView: ImageView
        let onDelivery: @MainActor () -> Void
        var widget: UnsafeMutableRawPointer { imageView.widget }

        init(_ manager: ImageManager, onDelivery: @escaping @MainActor () -> Void) {
            imageView = ImageView(manager: manager)
            imageView.contentFit = .cover
            self.onDelivery = onDelivery
            let widget = imageView.widget.assumingMemoryBound(to: GtkWidget.self)
            gtk_widget_set_size_request(widget, cellSize.width, cellSize.height)
        }

        func loadEnded(_ position: Int, _ result: ImageBinding.Outcome) {
            if case .success = result { onDelivery() }
        }
    }

    /// Bytes of the pictures that a manager keeps in memory.
    static let memoryBudget = 64 << 20

    /// A manager that keeps files in a folder.
    static func makeManager(_ disk: DiskCache?) throws -> ImageManager {
        var configuration = Downloader.Configuration()
        configuration.usesProxyFromEnvironment = false
        return ImageManager(
            configuration: .init(
                memoryCache: MemoryCache(byteLimit: memoryBudget),
                diskCache: disk,
                loaders: [try Downloader(configuration: configuration)],
                decoders: CodecRegistry.builtIn
            )
        )
    }
}

/// A list as programs with GTK's bindings write it: `gdk_texture_new_from_bytes` on the main loop for what has come. Its
/// downloads are Kuva's and are cancelled like Kuva's, so that only the rest differs.
@MainActor
final class NaiveRows: Rows {
    private(set) var deliveredCount = 0
    private let addresses: Addresses
    private let downloader: Downloader
    private var loads: [UnsafeMutableRawPointer: (row: Int, load: any LoadHandle)] = [:]

    init(_ addresses: Addresses) throws {
        self.addresses = addresses
        var configuration = Downloader.Configuration()
        configuration.usesProxyFromEnvironment = false
        downloader = try Downloader(configuration: configuration)
    }

    func makeFactory() -> OpaquePointer? {
        makePlainFactory(
            bind: { [self] item, picture, row in
                // Unsafe: the pointers are used on the main thread only.
                nonisolated(unsafe) let (heldItem, heldPicture) = (item, picture)
                let load = downloader.load(LoadRequest(url: addresses[row])) { [weak self] event in
                    guard case .finished(.success(let loaded)) = event else { return }
                    DispatchQueue.main.async {
                        MainActor.assumeIsolated { self?.show(loaded.bytes, in: heldPicture, of: heldItem, row) }
                    }
                }
                loads[item] = (row, load)
            },
            unbind: { [self] item, picture in
                loads.removeValue(forKey: item)?.load.cancel()
                gtk_picture_set_paintable(picture, nil)
            }
        )
    }

    func end() {
        downloader.cancelAll()
        loads = [:]
    }

    private func show(_ data: Data, in picture: OpaquePointer, of item: UnsafeMutableRawPointer, _ row: Int) {
        guard loads[item]?.row == row else { return }
        let bytes = data.withUnsafeBytes { g_bytes_new($0.baseAddress, gsize($0.count)) }
        defer { g_bytes_unref(bytes) }
        guard let texture = gdk_texture_new_from_bytes(bytes, nil) else { return }
        gtk_picture_set_paintable(picture, texture)
        g_object_unref(UnsafeMutableRawPointer(texture))
        deliveredCount += 1
    }
}

/// A list whose pictures are there already, in the size of the cells: what GTK itself needs.
@MainActor
final class ReadyRows: Rows {
    private(set) var deliveredCount = 0
    private let textures: [OpaquePointer]

    init(_ images: [Image]) { textures = images.compactMap { $0.pixels.sharedTexture() } }

    isolated deinit { for texture in textures { g_object_unref(UnsafeMutableRawPointer(texture)) } }

    func makeFactory() -> OpaquePointer? {
        makePlainFactory(
            bind: { [self] _, picture, row in
                gtk_picture_set_paintable(picture, textures[row % textures.count])
                deliveredCount += 1
            },
            unbind: { _, picture in gtk_picture_set_paintable(picture, nil) }
        )
    }

    func end() {}
}

/// A factory of cells with a `GtkPicture` each.
@MainActor
private func makePlainFactory(
    bind: @escaping @MainActor (UnsafeMutableRawPointer, OpaquePointer, Int) -> Void,
    unbind: @escaping @MainActor (UnsafeMutableRawPointer, OpaquePointer) -> Void
) -> OpaquePointer? {
    guard let factory = gtk_signal_list_item_factory_new() else { return nil }
    let raw = UnsafeMutableRawPointer(factory)
    func picture(of item: UnsafeMutableRawPointer) -> OpaquePointer? {
        gtk_list_item_get_child(OpaquePointer(item)).map { OpaquePointer($0) }
    }
    onItem(raw, "setup") { item in
        guard let picture = gtk_picture_new() else { return }
        gtk_picture_set_content_fit(OpaquePointer(picture), GTK_CONTENT_FIT_COVER)
        gtk_widget_set_size_request(picture, cellSize.width, cellSize.height)
        gtk_list_item_set_child(OpaquePointer(item), picture)
    }
    onItem(raw, "bind") { item in
        let row = Int(gtk_list_item_get_position(OpaquePointer(item)))
        if let picture = picture(of: item) { bind(item, picture, row) }
    }
    onItem(raw, "unbind") { item in
        if let picture = picture(of: item) { unbind(item, picture) }
    }
    return factory
}

/// Connects a handler to a signal of a factory.
@MainActor
private func onItem(
    _ factory: UnsafeMutableRawPointer,
    _ signal: String,
    _ handler: @escaping @MainActor (UnsafeMutableRawPointer) -> Void
) {
    typealias Function = @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void
    let function: Function = { data, item in
        guard let data, let item else { return }
        // Unsafe: GTK calls on the main thread, and there both stay.
        nonisolated(unsafe) let (box, pointer) = (data, item)
        MainActor.assumeIsolated { Unmanaged<ItemHandler>.fromOpaque(box).takeUnretainedValue().call(pointer) }
    }
    g_signal_connect_data(
        factory,
        signal,
        unsafeBitCast(function, to: GCallback.self),
        Unmanaged.passRetained(ItemHandler(handler)).toOpaque(),
        { data, _ in
            guard let data else { return }
            Unmanaged<ItemHandler>.fromOpaque(data).release()
        },
        G_CONNECT_SWAPPED
    )
}

private final class ItemHandler {
    let call: @MainActor (UnsafeMutableRawPointer) -> Void
    init(_ call: @escaping @MainActor (UnsafeMutableRawPointer) -> Void) { self.call = call }
}
