internal import CGTK

extension ImageView {
    /// What the picture shows, in words, for people who do not see it; empty for a picture that only decorates.
    public var accessibleName: String {
        get {
            guard isAlive, surface.kind == .picture else { return name }
            return gtk_picture_get_alternative_text(picture.opaque).map { String(cString: $0) } ?? ""
        }
        set {
            guard isAlive else { return }
            name = newValue
            if surface.kind == .picture { gtk_picture_set_alternative_text(picture.opaque, newValue) }
            Accessibility.setName(newValue.isEmpty ? nil : newValue, picture)
        }
    }
}
