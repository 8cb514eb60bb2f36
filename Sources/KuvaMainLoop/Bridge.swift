internal import CKuvaGLib

/// The one source that runs the one main queue of the process.
@MainActor
final class Bridge {
    static let shared = Bridge()

    private(set) var drive: MainLoop.Drive?
    private var source: OpaquePointer?

    func attach(_ drives: [MainLoop.Drive]) -> MainLoop.Drive? {
        if let drive { return drive }
        guard kuva_glib_on_main_thread() == 1 else { return nil }
        for candidate in drives {
            let made =
                switch candidate {
                case .descriptor: kuva_glib_attach_descriptor()
                case .polling: kuva_glib_attach_polling(8)
                }
            guard let made else { continue }
            source = made
            drive = candidate
            break
        }
        return drive
    }

    func detach() {
        guard let source else { return }
        kuva_glib_detach(source)
        self.source = nil
        drive = nil
    }
}
