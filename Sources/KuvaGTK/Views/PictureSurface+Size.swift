internal import CGTK
internal import KuvaCore
internal import KuvaUI

/// What a surface knows about its size.
@MainActor
struct SurfaceLayout {
    /// Which sides take the size of the pictures; `nil` before the first layout.
    var followers: (width: Bool, height: Bool)?
    /// What waits for the surface to be laid out.
    var watch: AllocationWatch?
}

extension PictureSurface {
    /// How pictures of other proportions meet the surface.
    var contentFit: ContentFit {
        get { kind == .picture ? ContentFit(gtk_picture_get_content_fit(widget.opaque)) : .contain }
        set {
            guard kind == .picture else { return }
            gtk_picture_set_content_fit(widget.opaque, newValue.gtk)
            fitChanged()
        }
    }

    /// Device pixels a point.
    var scaleFactor: Int { Int(gtk_widget_get_scale_factor(widget.asWidget)) }

    /// The size in which the surface shows pictures, in device pixels; unknown until it has been laid out, unless both
    /// sides were requested by `gtk_widget_set_size_request`. Asking for it while it is unknown starts to wait for it.
    func pictureSize() -> PictureSize {
        guard let size = shownSize else {
            if layout.watch == nil {
                layout.watch = AllocationWatch(widget) { [weak self] in self?.wasLaidOut() }
            }
            return .unknown
        }
        return .target(size.target, scale: Double(scaleFactor))
    }

    /// Stops waiting for the first layout.
    func stopWaitingForSize() {
        layout.watch?.stop()
        layout.watch = nil
    }

    /// Whether the picture that is shown should be decoded in another size than it was decoded for.
    func needsOtherSize(than decodedFor: TargetSize) -> Bool {
        guard let image, let size = shownSize else { return false }
        return size.outgrows(image.pixelSize, decodedFor: decodedFor) || size.isMuchSmaller(than: image.pixelSize)
    }

    /// The place for pictures; `nil` while it is not known.
    private var shownSize: ShownSize? {
        if kind == .image { return iconSize }
        var (width, height) = (gtk_widget_get_width(widget.asWidget), gtk_widget_get_height(widget.asWidget))
        if width > 0, height > 0, layout.followers == nil { layout.followers = findFollowers() }
        if let followers = layout.followers {
            width = followers.width ? 0 : width
            height = followers.height ? 0 : height
        } else {
            (width, height) = requestedSize
            guard width > 0, height > 0 else { return nil }
        }
        return ShownSize(
            width: Int(width) * scaleFactor,
            height: Int(height) * scaleFactor,
            fit: contentFit,
            // Counts only for a side that follows, and to ask for it takes long.
            screen: width > 0 && height > 0 ? PixelSize(width: 0, height: 0) : screenSize
        )
    }

    /// A `GtkImage` shows its picture in a square: its pixel size, or else one of the two sizes of icons, which GTK's
    /// default theme makes 16 and 32 points.
    private var iconSize: ShownSize {
        let side: Int
        let pixelSize = gtk_image_get_pixel_size(widget.opaque)
        if pixelSize > 0 {
            side = Int(pixelSize)
        } else {
            side = gtk_image_get_icon_size(widget.opaque) == GTK_ICON_SIZE_LARGE ? 32 : 16
        }
        let pixels = side * scaleFactor
        return ShownSize(width: pixels, height: pixels, fit: .contain, screen: PixelSize(width: pixels, height: pixels))
    }

    /// What the program asked for by `gtk_widget_set_size_request`; -1 for a side that it left open.
    private var requestedSize: (width: Int32, height: Int32) {
        var (width, height, ownWidth, ownHeight) = (Int32(-1), Int32(-1), Int32(-1), Int32(-1))
        gtk_widget_get_size_request(host.asWidget, &width, &height)
        gtk_widget_get_size_request(widget.asWidget, &ownWidth, &ownHeight)
        return (max(width, ownWidth), max(height, ownHeight))
    }

    /// Whether the program asked for both sides.
    var hasRequestedSize: Bool {
        let (width, height) = requestedSize
        return width > 0 && height > 0
    }

    /// The sides that got just what the widget's content wants, though it neither asked for a size nor expands: the
    /// content decides there. To be asked before a picture is shown that was decoded for this size.
    private func findFollowers() -> (width: Bool, height: Bool) {
        guard followsPicture else { return (false, false) }
        let widget = widget.asWidget
        let (width, height) = (gtk_widget_get_width(widget), gtk_widget_get_height(widget))
        let requested = requestedSize
        func follows(_ orientation: GtkOrientation, side: Int32, requested: Int32, forSize: Int32) -> Bool {
            guard requested <= 0, gtk_widget_compute_expand(widget, orientation) == 0 else { return false }
            var natural: Int32 = 0
            gtk_widget_measure(widget, orientation, forSize, nil, &natural, nil, nil)
            return natural == side
        }
        return (
            follows(GTK_ORIENTATION_HORIZONTAL, side: width, requested: requested.width, forSize: -1),
            follows(GTK_ORIENTATION_VERTICAL, side: height, requested: requested.height, forSize: max(width, -1))
        )
    }

    /// The monitor that the surface is on, in device pixels.
    private var screenSize: PixelSize {
        let widget = widget.asWidget
        guard let native = gtk_widget_get_native(widget), let surface = gtk_native_get_surface(native),
            let monitor = gdk_display_get_monitor_at_surface(gtk_widget_get_display(widget), surface)
        else { return PixelSize(width: 4_096, height: 4_096) }
        var area = GdkRectangle()
        gdk_monitor_get_geometry(monitor, &area)
        return PixelSize(width: Int(area.width) * scaleFactor, height: Int(area.height) * scaleFactor)
    }

    private func wasLaidOut() {
        layout.watch = nil
        if layout.followers == nil, kind == .picture { layout.followers = findFollowers() }
        onLaidOut()
    }
}
