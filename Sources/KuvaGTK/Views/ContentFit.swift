internal import CGTK
internal import KuvaCore

/// How a picture of other proportions than its view meets it; as `GtkContentFit`.
public enum ContentFit: Hashable, Sendable {
    /// Stretched to the view; proportions may change.
    case fill
    /// As large as it fits, whole. The default.
    case contain
    /// So large that it covers the view; what stands over is cut off.
    case cover
    /// Whole, and never larger than it is.
    case scaleDown
}

extension ContentFit {
    init(_ fit: GtkContentFit) {
        self =
            switch fit {
            case GTK_CONTENT_FIT_FILL: .fill
            case GTK_CONTENT_FIT_COVER: .cover
            case GTK_CONTENT_FIT_SCALE_DOWN: .scaleDown
            default: .contain
            }
    }

    var gtk: GtkContentFit {
        switch self {
        case .fill: GTK_CONTENT_FIT_FILL
        case .contain: GTK_CONTENT_FIT_CONTAIN
        case .cover: GTK_CONTENT_FIT_COVER
        case .scaleDown: GTK_CONTENT_FIT_SCALE_DOWN
        }
    }

    /// How a picture is decoded for a box that it is shown in. Its proportions stay, also where it is shown stretched,
    /// since the fit may change later.
    var decodeMode: TargetSize.Mode {
        switch self {
        case .contain, .scaleDown: .aspectFit
        case .cover, .fill: .aspectFill
        }
    }
}
