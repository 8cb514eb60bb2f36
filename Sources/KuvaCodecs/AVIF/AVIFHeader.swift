internal import CKuvaAVIF
internal import KuvaCore

/// What the boxes of an AVIF say about its picture.
struct AVIFHeader {
    let size: PixelSize
    let bitsPerChannel: Int
    let frameCount: Int
    let hasAlpha: Bool
    let rowAlpha: FrameWriter.RowAlpha
    let orientation: Orientation
    let iccProfileByteCount: Int
    let colours: ColourDescription
    /// Such as `YUV 4:2:0`.
    let pixelDescription: String

    init(_ info: kuva_avif_info, profile: [UInt8]) {
        size = PixelSize(width: Int(info.width), height: Int(info.height))
        bitsPerChannel = Int(info.depth)
        frameCount = max(1, Int(info.frame_count))
        hasAlpha = info.has_alpha != 0
        rowAlpha = hasAlpha ? info.is_premultiplied != 0 ? .premultiplied : .straight : .opaque
        orientation = Self.orientation(quarterTurns: info.quarter_turns, mirroring: info.mirroring)
        iccProfileByteCount = info.icc_size
        colours =
            profile.isEmpty
            ? ColourDescription(
                primaries: UInt8(clamping: info.colour_primaries),
                transfer: UInt8(clamping: info.transfer_characteristics)
            )
            : .profile(profile, info.sampling == 3 ? .grey : .rgb)
        let samplings = ["YUV 4:4:4", "YUV 4:2:2", "YUV 4:2:0", "grey"]
        pixelDescription = samplings[Int(info.sampling) & 3] + (hasAlpha ? " and alpha" : "")
    }

    /// Quarter turns anticlockwise come first, then the mirroring (ISO/IEC 23000-22, 7.3.6.7).
    private static func orientation(quarterTurns: UInt32, mirroring: UInt32) -> Orientation {
        let table: [[Orientation]] = [
            [.up, .left, .down, .right],
            // Top and bottom exchanged.
            [.downMirrored, .leftMirrored, .upMirrored, .rightMirrored],
            // Left and right exchanged.
            [.upMirrored, .rightMirrored, .downMirrored, .leftMirrored],
        ]
        return table[min(2, Int(mirroring))][Int(quarterTurns & 3)]
    }
}
