#if Map
    internal import CGTK
    internal import CShumate
    public import FoundationEssentials
    public import Kuva
    public import KuvaPipeline
    public import KuvaUI

    /// A `ShumateMarker` with a picture: a photograph, or a face, at its place on a map.
    ///
    /// ```swift
    /// let marker = ImageMapMarker(latitude: 60.17, longitude: 24.94)
    /// marker.setImage(from: url)
    /// shumate_marker_layer_add_marker(layer, OpaquePointer(marker.widget))
    /// ```
    ///
    /// The marker itself needs no network; a map gets its tiles from wherever the program says. The widget keeps the view
    /// of the picture alive.
    @MainActor
    public final class ImageMapMarker {
        /// The `ShumateMarker`; floating when new.
        public let widget: UnsafeMutableRawPointer

        /// What shows the picture, for all that the marker has no methods for.
        public let imageView: ImageView

        /// - Parameters:
        ///   - latitude: degrees north of the equator; as far as libshumate's maps reach, about -85 to 85, and others count
        ///     as the nearest of these.
        ///   - longitude: degrees east of Greenwich, from -180 to 180; likewise.
        ///   - width: the width of the picture in points.
        ///   - height: the height of the picture in points.
        ///   - manager: who loads.
        public init(
            latitude: Double,
            longitude: Double,
            width: Int = 56,
            height: Int = 56,
            manager: ImageManager = .shared
        ) {
            imageView = ImageView(manager: manager)
            imageView.contentFit = .cover
            let picture = imageView.widget.asWidget
            gtk_widget_set_size_request(picture, Int32(clamping: width), Int32(clamping: height))
            gtk_widget_set_overflow(picture, GTK_OVERFLOW_HIDDEN)
            gtk_widget_add_css_class(picture, "kuva-marker")
            let marker = shumate_marker_new()!
            widget = UnsafeMutableRawPointer(marker)
            shumate_marker_set_child(marker, picture)
            move(latitude: latitude, longitude: longitude)
        }

        /// Where the marker is.
        public var location: (latitude: Double, longitude: Double) {
            guard imageView.isAlive else { return (0, 0) }
            return (shumate_location_get_latitude(widget.opaque), shumate_location_get_longitude(widget.opaque))
        }

        /// Takes the marker to another place.
        public func move(latitude: Double, longitude: Double) {
            guard imageView.isAlive else { return }
            shumate_location_set_location(
                widget.opaque,
                min(90, max(-90, latitude)),
                min(180, max(-180, longitude))
            )
        }

        /// Loads the picture of the marker.
        ///
        /// - Parameter completion: called exactly once, whatever happens.
        public func setImage(
            from url: URL?,
            options: ViewLoadOptions = ViewLoadOptions(),
            completion: ImageBinding.Completion? = nil
        ) {
            imageView.setImage(from: url, options: options, completion: completion)
        }

        /// Ends the load that runs.
        public func cancelLoad() { imageView.cancelLoad() }
    }
#endif
