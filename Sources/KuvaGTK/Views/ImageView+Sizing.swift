internal import CGTK
internal import KuvaCore
public import KuvaUI

/// What a view knows about the size of its pictures.
@MainActor
struct Sizing {
    /// What was asked for last, and how.
    var request: ImageRequest?
    var options = ViewLoadOptions()
    /// The size that the load under way was given; `nil` if it has one of its own.
    var askedFor: TargetSize?
    /// The size that the shown picture was decoded for; `nil` if it is none that the view chose.
    var decodedFor: TargetSize?
    /// Which sides of the view take the size of its pictures; `nil` before the first layout.
    var followers: (width: Bool, height: Bool)?
    /// Whether the picture is being decoded again because the view has grown.
    var isRefining = false
    /// What waits for the view to be laid out.
    var watch: AllocationWatch?
}

extension ImageView {
    /// How pictures of other proportions meet the view.
    public var contentFit: ContentFit {
        get { isAlive ? ContentFit(gtk_picture_get_content_fit(OpaquePointer(picture))) : .contain }
        set { if isAlive { gtk_picture_set_content_fit(OpaquePointer(picture), newValue.gtk) } }
    }

    /// The size in which the view shows pictures, in device pixels; unknown until it has been laid out, unless both
    /// sides were requested by `gtk_widget_set_size_request`.
    public func pictureSize() -> PictureSize {
        guard isAlive, let size = shownSize else {
            sizing.askedFor = nil
            if isAlive, sizing.watch == nil {
                sizing.watch = AllocationWatch(picture) { [weak self] in self?.wasLaidOut() }
            }
            return .unknown
        }
        sizing.askedFor = size.target
        return .target(size.target, scale: Double(scaleFactor))
    }

    /// The view was drawn: if it has outgrown its picture, a larger one is loaded once the drawing is over.
    func wasDrawn() {
        guard isOutgrown, !sizing.isRefining else { return }
        sizing.isRefining = true
        Task { [weak self] in self?.refine() }
    }

    /// Forgets what a load that ends had to do with sizes. The view's own nature stays.
    func endSizing() {
        stopWaitingForSize()
        sizing = Sizing(followers: sizing.followers)
    }

    func stopWaitingForSize() {
        sizing.watch?.stop()
        sizing.watch = nil
    }

    private var scaleFactor: Int {
        Int(gtk_widget_get_scale_factor(picture.assumingMemoryBound(to: GtkWidget.self)))
    }

    private var shownSize: ShownSize? {
        let picture = picture.assumingMemoryBound(to: GtkWidget.self)
        var (width, height) = (gtk_widget_get_width(picture), gtk_widget_get_height(picture))
        if width > 0, height > 0, sizing.followers == nil { sizing.followers = findFollowers() }
        if let followers = sizing.followers {
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
            screen: screenSize
        )
    }

    /// What the program asked for by `gtk_widget_set_size_request`; -1 for a side that it left open.
    private var requestedSize: (width: Int32, height: Int32) {
        var (width, height, pictureWidth, pictureHeight) = (Int32(-1), Int32(-1), Int32(-1), Int32(-1))
        gtk_widget_get_size_request(widget.assumingMemoryBound(to: GtkWidget.self), &width, &height)
        gtk_widget_get_size_request(picture.assumingMemoryBound(to: GtkWidget.self), &pictureWidth, &pictureHeight)
        return (max(width, pictureWidth), max(height, pictureHeight))
    }

    /// The sides that got just what the widget's content wants, though it neither asked for a size nor expands: the
    /// content decides there. To be asked before a picture is shown that was decoded for this size.
    private func findFollowers() -> (width: Bool, height: Bool) {
        let picture = picture.assumingMemoryBound(to: GtkWidget.self)
        let (width, height) = (gtk_widget_get_width(picture), gtk_widget_get_height(picture))
        let requested = requestedSize
        func follows(_ orientation: GtkOrientation, side: Int32, requested: Int32, forSize: Int32) -> Bool {
            guard requested <= 0, gtk_widget_compute_expand(picture, orientation) == 0 else { return false }
            var natural: Int32 = 0
            gtk_widget_measure(picture, orientation, forSize, nil, &natural, nil, nil)
            return natural == side
        }
        return (
            follows(GTK_ORIENTATION_HORIZONTAL, side: width, requested: requested.width, forSize: -1),
            follows(GTK_ORIENTATION_VERTICAL, side: height, requested: requested.height, forSize: max(width, -1))
        )
    }

    /// The monitor that the view is on, in device pixels.
    private var screenSize: PixelSize {
        let widget = picture.assumingMemoryBound(to: GtkWidget.self)
        guard let native = gtk_widget_get_native(widget), let surface = gtk_native_get_surface(native),
            let monitor = gdk_display_get_monitor_at_surface(gtk_widget_get_display(widget), surface)
        else { return PixelSize(width: 4_096, height: 4_096) }
        var area = GdkRectangle()
        gdk_monitor_get_geometry(monitor, &area)
        return PixelSize(width: Int(area.width) * scaleFactor, height: Int(area.height) * scaleFactor)
    }

    private var isOutgrown: Bool {
        guard isAlive, binding.task == nil, let image, let decodedFor = sizing.decodedFor, let size = shownSize else {
            return false
        }
        return size.outgrows(image.pixelSize, decodedFor: decodedFor)
    }

    private func wasLaidOut() {
        sizing.watch = nil
        if sizing.followers == nil { sizing.followers = findFollowers() }
        binding.pictureSizeIsKnown()
    }

    private func refine() {
        guard sizing.isRefining, isOutgrown, let request = sizing.request else {
            sizing.isRefining = false
            return
        }
        var options = sizing.options
        options.whileLoading = .currentImage
        options.showsPlaceholderOnFailure = false
        binding.setImage(request, options: options) { [weak self] result in
            // A load that replaced this one has a sizing of its own.
            if case .failure(let error) = result, error.isCancellation { return }
            self?.sizing.isRefining = false
            self?.sizing.decodedFor = (try? result.get()) == nil ? nil : self?.sizing.askedFor
        }
    }
}
