internal import CGTK

/// GLib's types of plain values, which are macros there: `G_TYPE_MAKE_FUNDAMENTAL (number)`.
enum FundamentalType {
    /// `G_TYPE_BOOLEAN`.
    static let boolean = GType(5 << 2)
    /// `G_TYPE_DOUBLE`.
    static let double = GType(15 << 2)
    /// `G_TYPE_STRING`.
    static let string = GType(16 << 2)
}
