internal import CGTK

/// Keeps an application running without a window, for loads that should end although the user has closed the last one.
///
/// `g_application_hold` and `g_application_release` in pairs: holds from when it is made until ``release()`` or its end.
@MainActor
public final class BackgroundHold {
    private var application: UnsafeMutableRawPointer?

    /// - Parameter application: a `GApplication` that runs.
    public init(_ application: UnsafeMutableRawPointer) {
        self.application = application
        g_object_ref(application)
        g_application_hold(application.assumingMemoryBound(to: GApplication.self))
    }

    /// Lets the application end. The second call does nothing.
    public func release() {
        guard let held = application else { return }
        application = nil
        g_application_release(held.assumingMemoryBound(to: GApplication.self))
        g_object_unref(held)
    }

    isolated deinit { release() }
}
