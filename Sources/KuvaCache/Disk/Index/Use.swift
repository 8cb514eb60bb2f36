/// That an entry was stored or used.
struct Use: Sendable, Equatable {
    let name: EntryName
    /// When, in nanoseconds since 1970; never before the file's time of last modification as this use left it.
    var used: Int64
    /// When the entry was stored, in nanoseconds since 1970; 0 if that is not known.
    var stored: Int64 = 0
}
