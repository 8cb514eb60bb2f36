#if SVG
    internal import CKuvaSVG
    internal import FoundationEssentials
    internal import KuvaCore

    /// Owns one document that librsvg has read; the only place that sees its pointer.
    final class SVGDocument {
        private let pointer: OpaquePointer

        init(_ input: InputBytes) throws(ImageError) {
            pointer = try input.withBytes { bytes throws(ImageError) in
                let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
                var pointer: OpaquePointer?
                let message = Self.message { pointer = kuva_svg_open(start, bytes.count, $0, $1) }
                guard let pointer else { throw .corrupt("the SVG", message) }
                return pointer
            }
        }

        deinit { kuva_svg_close(pointer) }

        /// In CSS pixels; 0 where the document says none.
        var size: (width: Double, height: Double) {
            var (width, height) = (0.0, 0.0)
            kuva_svg_size(pointer, &width, &height)
            return (width, height)
        }

        /// Draws the document, which measures `width` by `height`, onto rows of `size` without gaps.
        func render(
            width: Double,
            height: Double,
            into rows: UnsafeMutableRawBufferPointer,
            _ size: PixelSize
        ) throws(ImageError) {
            let start = rows.baseAddress!.assumingMemoryBound(to: UInt8.self)
            var isDrawn: Int32 = 0
            let message = Self.message {
                isDrawn = kuva_svg_render(
                    pointer,
                    width,
                    height,
                    start,
                    UInt32(size.width),
                    UInt32(size.height),
                    $0,
                    $1
                )
            }
            guard isDrawn != 0 else { throw .corrupt("the SVG", message) }
        }

        private static func message(_ body: (UnsafeMutablePointer<CChar>, Int) -> Void) -> String {
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
                buffer.initialize(repeating: 0)
                body(buffer.baseAddress!, buffer.count)
                return String(cString: buffer.baseAddress!)
            }
        }
    }
#endif
