/// The form of an entry's file, version 1. All numbers are little-endian.
///
///     header  0  8 bytes  89 4B 75 76 61 0D 0A 1A
///             8  u32      version: 1
///            12  u32      length of the header, its checksum included
///            16  u64      length of the body
///            24  f64      when it was stored: seconds since 2001-01-01T00:00:00Z
///            32  sections, each u32 type, u32 length and its bytes:
///                  1 the key's original   2 the key's variant   3 the picture's format, by name
///                  4 the server's answer  5 data that the program added
///                  6 f64 when the key was first stored, where that is kept
///                each at most once, 1 always there; readers skip types they do not know
///             …  u64      XXH3-64 of the header up to here
///     body       the file as its source sent it
///     footer  0  u64      length of the whole entry
///             8  u64      XXH3-64 of the body, seeded with the header's checksum
///            16  8 bytes  "Kuva end"
///
/// A section of type 4 holds: u32 length and bytes of the URL, i32 status, f64 request time, f64 response time (both
/// as above), u32 number of fields, then for each field u32 length and bytes of its name and of its value.
///
/// Every byte is covered: the header by its checksum, the body by the footer's, the footer by being compared. The
/// seed ties a body to its header.
enum EntryFormat {
    static let magic: UInt64 = 0x1A0A_0D61_7675_4B89
    static let endMagic: UInt64 = 0x646E_6520_6176_754B
    static let version: UInt32 = 1
    static let fixedLength = 32
    static let footerLength = 24
    /// The fixed part, a section with an empty original, the checksum and the footer.
    static let minimumLength = fixedLength + 8 + 8 + footerLength

    enum Section: UInt32 {
        case original = 1
        case variant = 2
        case format = 3
        case response = 4
        case extendedData = 5
        case createdAt = 6
    }
}
