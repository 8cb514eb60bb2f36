internal import CKuvaGTK

/// What GTK has bound and unbound since somebody looked.
///
/// GTK tells of hundreds of rows in a frame of a fling. C notes them, and Swift goes through the notes once, while they
/// and the rows are at hand in the processor's caches.
@MainActor
final class RowNotes {
    private let notes: OpaquePointer
    private let onFirst: @MainActor (UnsafeMutableRawPointer) -> Void
    /// What C points to, since it is there before this object is.
    private final class Place { weak var notes: RowNotes? }
    private let place = Place()

    /// - Parameter onFirst: called with the item of a note when there was none before.
    init(onFirst: @escaping @MainActor (UnsafeMutableRawPointer) -> Void) {
        self.onFirst = onFirst
        notes = kuva_gtk_row_notes_new(
            { data, item in
                guard let data, let item else { return }
                // Unsafe: GTK calls on the main thread, and there both stay.
                nonisolated(unsafe) let (place, pointer) = (data, item)
                MainActor.assumeIsolated {
                    Unmanaged<Place>.fromOpaque(place).takeUnretainedValue().notes?.onFirst(pointer)
                }
            },
            Unmanaged.passUnretained(place).toOpaque()
        )
        place.notes = self
    }

    isolated deinit { kuva_gtk_row_notes_free(notes) }

    /// Notes from now on what a `GtkSignalListItemFactory` does, which must not outlive this object.
    func connect(_ factory: UnsafeMutableRawPointer) { kuva_gtk_row_notes_connect(notes, factory) }

    /// The items that were bound, with the positions of their rows, and unbound, with `nil`, in order; the notes are
    /// empty afterwards.
    func take() -> [(item: UnsafeMutableRawPointer, position: Int?)] {
        var rows: UnsafePointer<kuva_gtk_row_note>?
        let count = kuva_gtk_row_notes_take(notes, &rows)
        return UnsafeBufferPointer(start: rows, count: count).map { note in
            (note.item, note.position == KUVA_GTK_NO_ROW ? nil : Int(note.position))
        }
    }
}
