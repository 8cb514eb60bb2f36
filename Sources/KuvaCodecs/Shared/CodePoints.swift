/// The numbers by which files name colours without a profile (ISO/IEC 23091-2, also ITU-T H.273).
enum CodePoints {
    /// Whether colours of these numbers are shown as sRGB: BT.709 primaries or none said, with the curve of sRGB, none
    /// said, or one of the video curves, which browsers and cameras use for the same look.
    static func areSRGB(primaries: Int, transfer: Int) -> Bool {
        [1, 2].contains(primaries) && [1, 2, 6, 13, 14, 15].contains(transfer)
    }
}
