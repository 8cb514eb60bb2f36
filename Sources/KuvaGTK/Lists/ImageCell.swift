public import KuvaUI

/// What a list or grid uses for one row after another: a widget with a picture in it, and whatever else it shows.
@MainActor
public protocol ImageCell: AnyObject {
    /// The `GtkWidget` that the list puts into its row.
    var widget: UnsafeMutableRawPointer { get }

    /// The view in the widget for which the list loads the row's picture.
    var imageView: ImageView { get }

    /// How the row's picture is loaded; by default it fades in quickly if it was not in memory.
    var loadOptions: ViewLoadOptions { get }

    /// The load of the row's picture has ended; never called for a row that the cell shows no longer.
    func loadEnded(_ position: Int, _ result: ImageBinding.Outcome)
}

/// A cell that shows more of its rows than their pictures, such as a caption.
///
/// GTK measures a row as soon as it has bound it, so such a cell hears at once of each, also of the hundreds that a fling
/// brings for a frame and takes away again. What is done then should be little.
@MainActor
public protocol RowListening: ImageCell {
    /// The cell shows this row from now on. The list has not begun to load the picture.
    func bind(_ position: Int)

    /// The cell shows no row.
    func unbind()
}

extension ImageCell {
    /// Fades in quickly.
    public var loadOptions: ViewLoadOptions {
        ViewLoadOptions(transition: ImageTransition(.crossfade, duration: .milliseconds(180)))
    }

    /// The picture is all there is to show.
    public func loadEnded(_ position: Int, _ result: ImageBinding.Outcome) {}
}

/// A cell that is a picture and nothing else.
@MainActor
public final class PlainImageCell: ImageCell {
    /// The view.
    public let imageView: ImageView

    /// The view's widget.
    public var widget: UnsafeMutableRawPointer { imageView.widget }

    /// Makes a cell of a view.
    public init(_ imageView: ImageView) { self.imageView = imageView }
}
