internal import CKuvaJPEG
internal import KuvaCore

/// What a JPEG says about itself before its first scan.
struct JPEGHeader {
    enum Colour {
        case grey, rgb, yCbCr, cmyk, ycck, unknown
    }

    let size: PixelSize
    let bitsPerChannel: Int
    let componentCount: Int
    let colour: Colour
    let isProgressive: Bool
    /// Whether a program of Adobe's made it, which inverts inks.
    let hasAdobeMarker: Bool
    /// Whether the picture comes in several scans, so that its coefficients are held until the last one.
    let holdsWholePicture: Bool
    /// Sampling factors of the first components, at most four.
    private let sampling: [(horizontal: Int, vertical: Int)]

    init(_ info: kuva_jpeg_info) {
        size = PixelSize(width: Int(info.width), height: Int(info.height))
        bitsPerChannel = Int(info.bits)
        componentCount = Int(info.components)
        colour =
            switch info.colour {
            case KUVA_JPEG_GREY: .grey
            case KUVA_JPEG_RGB: .rgb
            case KUVA_JPEG_YCBCR: .yCbCr
            case KUVA_JPEG_CMYK: .cmyk
            case KUVA_JPEG_YCCK: .ycck
            default: .unknown
            }
        isProgressive = info.is_progressive != 0
        hasAdobeMarker = info.has_adobe_marker != 0
        holdsWholePicture = info.holds_whole_picture != 0
        let (h, v) = (info.horizontal, info.vertical)
        let factors = [(h.0, v.0), (h.1, v.1), (h.2, v.2), (h.3, v.3)]
        sampling = factors.prefix(componentCount).map { (Int($0.0), Int($0.1)) }
    }

    /// What rows hold for a profile to convert.
    var profilePixels: ColourDescription.Pixels {
        switch colour {
        case .grey: .grey
        case .cmyk, .ycck: hasAdobeMarker ? .invertedCMYK : .cmyk
        default: .rgb
        }
    }

    /// Such as `YCbCr 4:2:0, progressive`.
    var description: String {
        let name =
            switch colour {
            case .grey: "grey"
            case .rgb: "RGB"
            case .yCbCr: "YCbCr \(subsampling)"
            case .cmyk: "CMYK"
            case .ycck: "YCCK \(subsampling)"
            case .unknown: "\(componentCount) components"
            }
        return isProgressive ? "\(name), progressive" : name
    }

    /// How much less colour than lightness there is, in the usual notation where it has one.
    private var subsampling: String {
        let (luma, chroma) = (sampling[0], sampling[1])
        let isUsual = sampling[2] == chroma && (sampling.count < 4 || sampling[3] == luma)
        if isUsual, luma.horizontal % chroma.horizontal == 0, luma.vertical % chroma.vertical == 0 {
            switch (luma.horizontal / chroma.horizontal, luma.vertical / chroma.vertical) {
            case (1, 1): return "4:4:4"
            case (2, 1): return "4:2:2"
            case (2, 2): return "4:2:0"
            case (1, 2): return "4:4:0"
            case (4, 1): return "4:1:1"
            case (4, 2): return "4:1:0"
            default: break
            }
        }
        return sampling.map { "\($0.horizontal)x\($0.vertical)" }.joined(separator: "/")
    }
}
