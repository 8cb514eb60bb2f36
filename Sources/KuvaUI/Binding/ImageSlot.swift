/// One of the pictures that a view shows: an image view has one, a button one for each of its states.
///
/// It is also the key under which the loads for that picture are found, replaced and cancelled. A program may make
/// slots of its own, for a second load into the same view, say: views show pictures of slots that they do not know as
/// those of ``image``.
public struct ImageSlot: Hashable, Sendable, CustomStringConvertible {
    /// The name of the slot, unique in its view.
    public let description: String

    /// Makes a slot.
    public init(_ name: String) { description = name }

    /// The picture of a view that shows one; the default everywhere.
    public static let image = ImageSlot("image")

    /// The picture that an image view shows instead while it is highlighted.
    public static let highlightedImage = ImageSlot("highlighted image")
}
