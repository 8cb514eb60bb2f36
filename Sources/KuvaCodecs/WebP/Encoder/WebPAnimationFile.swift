internal import CKuvaWebPMux
internal import FoundationEssentials
internal import KuvaCore

/// Owns one C writer; the only place that sees its pointer.
final class WebPAnimationFile: AnimationFileWriter {
    private let pointer: OpaquePointer
    private let cancellation: CancellationFlag?
    private var times = RoundedTimes(unitsPerSecond: 1000, most: 0xFF_FFFF)
    /// Where the next frame begins, in milliseconds.
    private var start: Int64 = 0

    /// - Throws: `out-of-memory`.
    init(size: PixelSize, lapCount: Int?, options: EncodeOptions) throws(ImageError) {
        let quality = options.isLossless ? 0.75 : min(1, max(0, options.quality))
        let pointer = kuva_webp_animation_new(
            UInt32(size.width),
            UInt32(size.height),
            UInt32(lapCount.map { min(65_535, max(1, $0)) } ?? 0),
            Float(quality * 100),
            options.isLossless ? 1 : 0
        )
        guard let pointer else { throw PixelBuffer.outOfMemory(.webp) }
        self.pointer = pointer
        cancellation = options.cancellation
    }

    deinit { kuva_webp_animation_free(pointer) }

    private static let goOn: kuva_webp_mux_go_on = { context in
        guard let context else { return 1 }
        let flag = Unmanaged<CancellationFlag>.fromOpaque(context).takeUnretainedValue()
        return flag.isCancelled ? 0 : 1
    }

    func write(_ frame: PixelBuffer, duration: Duration) throws(ImageError) {
        let time = try checkedStart()
        let straight = try frame.straightened()
        let status = straight.withUnsafeBytes { bytes in
            withExtendedLifetime(cancellation) {
                kuva_webp_animation_add(
                    pointer,
                    bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
                    straight.layout.bytesPerRow,
                    straight.layout.alpha == .opaque ? 1 : 0,
                    time,
                    Self.goOn,
                    cancellation.map { Unmanaged.passUnretained($0).toOpaque() }
                )
            }
        }
        try check(status)
        start += times.next(duration)
    }

    func finish() throws(ImageError) -> Data {
        var file: UnsafeMutablePointer<UInt8>?
        var count = 0
        let status = kuva_webp_animation_finish(pointer, try checkedStart(), &file, &count)
        defer { kuva_webp_mux_free(file) }
        try check(status)
        return file.map { Data(bytes: $0, count: count) } ?? Data()
    }

    private func checkedStart() throws(ImageError) -> Int32 {
        guard let time = Int32(exactly: start) else {
            throw ImageError(.limitExceeded, "a WebP cannot last longer than 24 days", advice: "write another format")
        }
        return time
    }

    private func check(_ status: kuva_webp_mux_status) throws(ImageError) {
        switch status {
        case KUVA_WEBP_MUX_OK: return
        case KUVA_WEBP_MUX_NO_MEMORY: throw PixelBuffer.outOfMemory(.webp)
        case KUVA_WEBP_MUX_STOPPED:
            try cancellation?.check()
            fallthrough
        default:
            throw ImageError(
                .unsupportedFormat,
                "libwebpmux cannot write the animation",
                advice: "write another format"
            )
        }
    }
}
