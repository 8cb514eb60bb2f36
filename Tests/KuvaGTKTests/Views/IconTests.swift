import CGTK
import KuvaCore
import KuvaGTK
import KuvaPipeline
import KuvaTesting
import Testing

extension WidgetTests {
    @MainActor
    @Suite("Icons")
    struct IconTests {
        let stage: WidgetStage
        init() throws { stage = try WidgetStage() }

        @Test func gtkImageShowsPicturesInItsPixelSizeWithoutWaitingForLayout() async throws {
            let icon = try #require(gtk_image_new())
            gtk_image_set_pixel_size(OpaquePointer(icon), 48)
            let view = ImageView.adopting(UnsafeMutableRawPointer(icon), manager: stage.manager)
            #expect(view === ImageView.adopting(UnsafeMutableRawPointer(icon), manager: stage.manager))
            view.setImage(from: try stage.url("a"))
            #expect(view.imageBinding.task()?.request.targetSize == TargetSize(PixelSize(width: 48, height: 48)))
            stage.window.add(view.widget, fills: false)
            stage.window.present()
            await stage.succeed("a", width: 96, height: 96)
            await pump { view.image != nil }
            #expect(view.image?.pixelSize == PixelSize(width: 48, height: 48))
            #expect(await stage.window.colour(x: 24, y: 24) == [1, 2, 3, 255])
            view.show(nil)
            #expect(gtk_image_get_storage_type(OpaquePointer(icon)) == GTK_IMAGE_EMPTY)
        }

        @Test func iconSizeCountsWithoutAPixelSize() throws {
            let icon = try #require(gtk_image_new())
            defer { g_object_unref(g_object_ref_sink(UnsafeMutableRawPointer(icon))) }
            let view = ImageView.adopting(UnsafeMutableRawPointer(icon), manager: stage.manager)
            #expect(view.pictureSize(in: .image) == .target(TargetSize(PixelSize(width: 16, height: 16)), scale: 1))
            gtk_image_set_icon_size(OpaquePointer(icon), GTK_ICON_SIZE_LARGE)
            #expect(view.pictureSize(in: .image) == .target(TargetSize(PixelSize(width: 32, height: 32)), scale: 1))
        }
    }
}
