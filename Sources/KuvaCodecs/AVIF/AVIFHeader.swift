internal import CKuvaAVIF
internal import KuvaCore

/// What the boxes of an AVIF say about its picture.
struct AVIFHeader {
    let size: PixelSize
    let bitsPerChannel: Int
    let frameCount: Int
    let hasAlpha: Bool
    let isPremultiplied: Bool
    let orientation: Orientation
    let iccProfileByteCount: Int
    let colorSpace: ColorSpace
    /// Such as `YUV 4:2:0`.
    let pixelDescription: String

    init(_ info: kuva_avif_info) {
        size = PixelSize(width: Int(info.width), height: Int(info.height))
        bitsPerChannel = Int(info.depth)
        frameCount = max(1, Int(info.frame_count))
        hasAlpha = info.has_alpha != 0
        isPremultiplied = info.is_premultiplied != 0
        orientation = Self.orientation(quarterTurns: info.quarter_turns, mirroring: info.mirroring)
        iccProfileByteCount = info.icc_size
        let isSRGB = CodePoints.areSRGB(
            primaries: Int(info.colour_primaries),
            transfer: Int(info.transfer_characteristics)
        )
        colorSpace = info.icc_size == 0 && isSRGB ? .sRGB : .unconverted
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
