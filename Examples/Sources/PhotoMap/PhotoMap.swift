import CGTK
import CShumate
import Foundation
import KuvaGTK

/// Pictures at their places on a map: `PhotoMap LATITUDE LONGITUDE URL …`. The tiles come from OpenStreetMap; mind its
/// tile usage policy in a program of your own.
@main @MainActor
struct PhotoMap {
    static func main() {
        gtk_init()
        let map = shumate_simple_map_new()!
        let registry = shumate_map_source_registry_new_with_defaults()
        let source = shumate_map_source_registry_get_by_id(registry, SHUMATE_MAP_SOURCE_OSM_MAPNIK)
        shumate_simple_map_set_map_source(map, source)
        let viewport = shumate_simple_map_get_viewport(map)
        let layer = shumate_marker_layer_new(viewport)!
        shumate_simple_map_add_overlay_layer(
            map,
            UnsafeMutableRawPointer(layer).assumingMemoryBound(to: ShumateLayer.self)
        )

        let arguments = Array(CommandLine.arguments.dropFirst())
        for start in stride(from: 0, through: arguments.count - 3, by: 3) {
            guard let latitude = Double(arguments[start]), let longitude = Double(arguments[start + 1]) else {
                continue
            }
            let marker = ImageMapMarker(latitude: latitude, longitude: longitude)
            marker.setImage(from: URL(string: arguments[start + 2]))
            let widget = marker.widget.assumingMemoryBound(to: ShumateMarker.self)
            shumate_marker_layer_add_marker(layer, widget)
            shumate_location_set_location(viewport, latitude, longitude)
        }
        shumate_viewport_set_zoom_level(viewport, 8)

        let window = UnsafeMutableRawPointer(gtk_window_new()!).assumingMemoryBound(to: GtkWindow.self)
        gtk_window_set_default_size(window, 800, 600)
        gtk_window_set_child(window, UnsafeMutableRawPointer(map).assumingMemoryBound(to: GtkWidget.self))
        gtk_window_present(window)
        while g_list_model_get_n_items(gtk_window_get_toplevels()) > 0 { g_main_context_iteration(nil, 1) }
    }
}
