internal import CGTK
public import KuvaCore
internal import KuvaMainLoop
public import KuvaUI

/// A ring that shows how much is done, with the number in the middle.
///
/// CSS changes it: the node `circularprogress` has the nodes `trough` and `progress`, whose `color` is that of track and
/// arc and whose `min-width` the width of their line, and the node `label` with the text, in the theme's colour and font.
/// The theme's rules and the program's come before these:
///
///     circularprogress > trough { color: lightgrey; min-width: 4px; }
///     circularprogress > progress { color: red; min-width: 4px; }
///
/// It is drawn with paths, so that it is sharp at any scale. Assistive technology is told that it is a progress bar, and
/// how far from 0 to 100 it is; nothing of that while no one knows. Where the desktop wants no animations the ring jumps
/// to its end, and what cannot be measured stands still.
@MainActor
public final class CircularProgressView {
    /// The `GtkOverlay` to put into a window. Floating while new; it keeps this object alive.
    public let widget: UnsafeMutableRawPointer

    /// The width of track and arc in logical pixels; that of CSS, 4 by default, until it is set.
    public var lineWidth: Double {
        get { ownLineWidth ?? nodes.trackWidth }
        set {
            ownLineWidth = newValue
            redraw()
        }
    }
    private var ownLineWidth: Double?

    /// What the ring shows.
    public private(set) var progress = CircularProgress()

    private let area: UnsafeMutablePointer<GtkWidget>
    private let nodes: ProgressNodes
    private let label: UnsafeMutablePointer<GtkWidget>
    private var link: (any DisplayLink)?
    private var isAlive = true
    /// Where the arc of an indeterminate ring begins, in degrees.
    private var turn = CircularProgress.startAngle

    /// A turn of an indeterminate ring.
    private static let turnDuration = Duration.seconds(1)

    /// Makes an empty ring that stands still.
    ///
    /// - Parameter link: what ticks; the widget's frame clock by default.
    public init(link makeLink: DisplayLinkMaker? = nil) {
        ProgressNodes.installDefaults()
        let overlay = ProgressNodes.makeRing()
        nodes = ProgressNodes(in: overlay)
        area = gtk_drawing_area_new()
        label = gtk_label_new("0%")
        widget = UnsafeMutableRawPointer(overlay)
        gtk_widget_set_size_request(area, 48, 48)
        gtk_overlay_set_child(OpaquePointer(overlay), area)
        gtk_overlay_add_overlay(OpaquePointer(overlay), label)
        gtk_widget_set_halign(label, GTK_ALIGN_CENTER)
        gtk_widget_set_valign(label, GTK_ALIGN_CENTER)
        let onTick = weakly(self) { view, link in view.tick(link) }
        let link = makeLink?(onTick) ?? FrameClockDisplayLink(widget: widget, onTick: onTick)
        link.isPaused = true
        self.link = link
        installDrawing()
        Signal.connect(widget, "destroy") { self.end() }
        announce()
    }

    /// Per cent at which the ring stops, from 0 to 100; see ``CircularProgress/rate``.
    public var rate: Int {
        get { progress.rate }
        set { progress.rate = newValue }
    }

    /// Starts from an empty ring; does nothing while it runs.
    public func startAnimation() {
        guard isAlive, progress.start() else { return }
        if !wantsMotion { while progress.tick() {} }
        update()
        link?.isPaused = !progress.isRunning
    }

    /// Shows how far a transfer is; indeterminate until its length is known.
    public func show(_ transfer: LoadProgress) {
        progress.show(fraction: transfer.fraction)
        update()
        link?.isPaused = progress.amount != .indeterminate || !wantsMotion
    }

    private var wantsMotion: Bool { Motion.isEnabled(for: widget) }

    private func tick(_ link: any DisplayLink) {
        if progress.amount == .indeterminate {
            let part = link.timestamp / Self.turnDuration
            turn = CircularProgress.startAngle + part.truncatingRemainder(dividingBy: 1) * 360
            redraw()
        } else {
            if !progress.tick() { link.isPaused = true }
            update()
        }
    }

    private func update() {
        guard isAlive else { return }
        gtk_label_set_text(OpaquePointer(label), progress.label)
        announce()
        redraw()
    }

    private func announce() {
        switch progress.amount {
        case .percent(let value): Accessibility.setProgress(value, progress.label, widget)
        case .indeterminate: Accessibility.setProgress(nil, progress.label, widget)
        }
    }

    private func redraw() { if isAlive { gtk_widget_queue_draw(area) } }

    private func end() {
        isAlive = false
        link?.invalidate()
        link = nil
    }

    private func installDrawing() {
        let reference = Unmanaged.passUnretained(self).toOpaque()
        gtk_drawing_area_set_draw_func(
            UnsafeMutableRawPointer(area).assumingMemoryBound(to: GtkDrawingArea.self),
            { _, cairo, width, height, data in
                guard let cairo, let data else { return }
                // Unsafe: GTK draws on the main thread, and there both stay.
                nonisolated(unsafe) let (context, view) = (cairo, data)
                MainActor.assumeIsolated {
                    Unmanaged<CircularProgressView>.fromOpaque(view).takeUnretainedValue()
                        .draw(on: context, width: Double(width), height: Double(height))
                }
            },
            reference,
            nil
        )
    }

    private func draw(on cairo: OpaquePointer, width: Double, height: Double) {
        guard isAlive else { return }
        let (track, arc) = (ownLineWidth ?? nodes.trackWidth, ownLineWidth ?? nodes.arcWidth)
        // The middle of both lines, so that the wider one is not clipped.
        let radius = CircularProgress.radius(width: width, height: height, lineWidth: max(track, arc))
        guard radius > 0 else { return }
        let isIndeterminate = progress.amount == .indeterminate
        let start = isIndeterminate ? turn : CircularProgress.startAngle
        stroke(0, 360, radius, track, nodes.trackColour, on: cairo, width, height)
        let end = isIndeterminate ? turn + 90 : progress.endAngle
        if end > start { stroke(start, end, radius, arc, nodes.arcColour, on: cairo, width, height) }
    }

    private func stroke(
        _ start: Double,
        _ end: Double,
        _ radius: Double,
        _ lineWidth: Double,
        _ colour: GdkRGBA,
        on cairo: OpaquePointer,
        _ width: Double,
        _ height: Double
    ) {
        guard lineWidth > 0 else { return }
        let (red, green, blue) = (Double(colour.red), Double(colour.green), Double(colour.blue))
        cairo_set_source_rgba(cairo, red, green, blue, Double(colour.alpha))
        cairo_set_line_width(cairo, lineWidth)
        cairo_new_path(cairo)
        cairo_arc(cairo, width / 2, height / 2, radius, start * .pi / 180, end * .pi / 180)
        cairo_stroke(cairo)
    }
}
