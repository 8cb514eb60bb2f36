internal import CKuvaLCMS
internal import KuvaCore

/// Owns one C transform to sRGB.
final class ColourTransform: PixelRowConverter, @unchecked Sendable {
    // Unchecked: the C transform never changes once it is made, and its header says that threads may share it.
    private let transform: OpaquePointer

    private init(_ transform: OpaquePointer) { self.transform = transform }

    deinit { kuva_lcms_destroy(transform) }

    func convert(_ pixels: UnsafeMutableRawPointer, count: Int) {
        kuva_lcms_convert(transform, pixels.assumingMemoryBound(to: UInt8.self), count)
    }

    /// What became of an attempt to make one.
    enum Outcome: Sendable {
        /// The colours are sRGB already.
        case isSRGB
        case converts(any PixelRowConverter)
        /// The description cannot be used; the colours stay what they are.
        case isUnusable
    }

    /// Makes a transform for what a file says about its colours.
    ///
    /// - Throws: ``ImageError`` with the code `out-of-memory`.
    static func make(_ description: ColourDescription) throws(ImageError) -> Outcome {
        var made: OpaquePointer?
        let status: kuva_lcms_status
        switch description {
        case .sRGB: return .isSRGB
        case .isUnknown: return .isUnusable
        case .highRange(let space): return .converts(ToneMap(space))
        case .profile(let bytes, let pixels): status = kuva_lcms_from_profile(bytes, bytes.count, pixels.code, &made)
        case .space(let space):
            var numbers = space.numbers
            status = kuva_lcms_from_space(&numbers, &made)
        }
        switch status {
        case KUVA_LCMS_OK: return made.map { .converts(ColourTransform($0)) } ?? .isUnusable
        case KUVA_LCMS_SRGB: return .isSRGB
        case KUVA_LCMS_UNUSABLE: return .isUnusable
        default:
            throw ImageError(
                .outOfMemory,
                "the system did not give the memory to convert colours",
                advice: "lower the memory limits of the caches"
            )
        }
    }
}

extension ColourDescription.Pixels {
    fileprivate var code: kuva_lcms_pixels {
        switch self {
        case .rgb: KUVA_LCMS_RGBA
        case .grey: KUVA_LCMS_GREY
        case .cmyk: KUVA_LCMS_CMYK
        case .invertedCMYK: KUVA_LCMS_CMYK_INVERTED
        }
    }
}

extension RGBSpace {
    fileprivate var numbers: kuva_lcms_space {
        kuva_lcms_space(
            white: (white.x, white.y),
            red: (red.x, red.y),
            green: (green.x, green.y),
            blue: (blue.x, blue.y),
            g: curve.g,
            a: curve.a,
            b: curve.b,
            c: curve.c,
            d: curve.d
        )
    }
}
