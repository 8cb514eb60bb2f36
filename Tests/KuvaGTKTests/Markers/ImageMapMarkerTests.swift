#if Map
    import CGTK
    import CShumate
    import KuvaCore
    import KuvaGTK
    import KuvaPipeline
    import KuvaTesting
    import Testing

    extension WidgetTests {
        @MainActor
        @Suite("Map marker")
        struct ImageMapMarkerTests {
            let stage: WidgetStage
            init() throws { stage = try WidgetStage() }

            @Test("testMKAnnotationViewSetImageWithURL: the marker shows its picture, at its place on the map")
            func markerShowsItsPicture() async throws {
                let marker = ImageMapMarker(latitude: 60.17, longitude: 24.94, manager: stage.manager)
                #expect(marker.location == (60.17, 24.94))
                let map = try #require(shumate_simple_map_new())
                stage.window.add(UnsafeMutableRawPointer(map))
                let viewport = shumate_simple_map_get_viewport(map)
                // Says how places become points; no layer shows it, so nothing is fetched.
                let tiles = shumate_raster_renderer_new_from_url("file:///{z}/{x}/{y}.png")
                shumate_viewport_set_reference_map_source(
                    viewport,
                    UnsafeMutableRawPointer(tiles!).assumingMemoryBound(to: ShumateMapSource.self)
                )
                g_object_unref(UnsafeMutableRawPointer(tiles!))
                let layer = shumate_marker_layer_new(viewport)
                shumate_simple_map_add_overlay_layer(
                    map,
                    UnsafeMutableRawPointer(layer!).assumingMemoryBound(to: ShumateLayer.self)
                )
                shumate_marker_layer_add_marker(
                    layer,
                    marker.widget.assumingMemoryBound(to: ShumateMarker.self)
                )
                shumate_location_set_location(viewport, 60.17, 24.94)
                stage.window.present()
                marker.setImage(from: try stage.url("helsinki"))
                await stage.succeed("helsinki", width: 112, height: 112)
                await pump { marker.imageView.image != nil }
                #expect(marker.imageView.image?.pixelSize == PixelSize(width: 56, height: 56))
                // The map's middle is the marker's place.
                #expect(await stage.window.colour(x: 200, y: 150) == [1, 2, 3, 255])
            }

            // What libshumate's projection can show (SHUMATE_MAX_LATITUDE).
            @Test func placesOutsideTheMapAreMovedOntoIt() {
                let marker = ImageMapMarker(latitude: 100, longitude: -200, manager: stage.manager)
                defer { g_object_unref(g_object_ref_sink(marker.widget)) }
                #expect(marker.location == (85.0511287798, -180))
            }
        }
    }
#endif
