internal import KuvaMainLoop
public import KuvaPipeline
internal import KuvaUI

/// What ``ImageView`` and ``ImageButton`` have in common: a GTK widget that loads pictures and shows that it does.
///
/// The widget keeps this object alive, and the object ends with the widget: a load that runs then is cancelled, and its
/// completion is called. So a program may drop it once its widget is in a window.
@MainActor
public class ImageWidget: WidgetCompanion {
    /// The `GtkWidget` to put into a window: what was adopted, or a new one, which is floating as every new GTK widget
    /// is. Valid while ``isAlive``.
    public let widget: UnsafeMutableRawPointer

    /// Whether the widget exists still.
    public private(set) var isAlive = true

    /// Who loads.
    public let manager: ImageManager

    let indicators: IndicatorPlace
    private let surfaces: [PictureSurface]

    init(
        widget: UnsafeMutableRawPointer,
        surfaces: [PictureSurface],
        indicators: IndicatorPlace,
        manager: ImageManager
    ) {
        self.widget = widget
        self.surfaces = surfaces
        self.indicators = indicators
        self.manager = manager
        MainLoop.attach()
    }

    /// Whether an indicator is shown while a picture loads; `false` by default.
    public var showsIndicator: Bool {
        get { indicators.isWanted }
        set { indicators.isWanted = newValue }
    }

    /// Which indicator that is; by default a spinner, of medium size on views and small on buttons.
    public var indicatorStyle: IndicatorStyle {
        get { indicators.style }
        set { indicators.style = newValue }
    }

    /// The widget is gone.
    func widgetIsGone() {
        isAlive = false
        for surface in surfaces { surface.end() }
        indicators.end()
    }
}
