import Foundation
import KuvaCore

/// cairo, called from Python; the oracle for compositing and blending.
enum Cairo {
    private static let python = Python(running: "import ctypes; ctypes.CDLL('libcairo.so.2')")

    /// Whether it is there.
    static var isAvailable: Bool { python != nil }

    /// Its operators by the names of the standard, in its order; what stands between is not used.
    static let operators = [
        "clear", "copy", "source-over", "source-in", "source-out", "source-atop", "destination", "destination-over",
        "destination-in", "destination-out", "destination-atop", "xor", "lighter", "", "multiply", "screen", "overlay",
        "darken", "lighten", "color-dodge", "color-burn", "hard-light", "soft-light", "difference", "exclusion", "hue",
        "saturation", "color", "luminosity",
    ]

    private static let script = """
        import ctypes, struct, sys
        cairo = ctypes.CDLL("libcairo.so.2")
        cairo.cairo_image_surface_create_for_data.restype = ctypes.c_void_p
        cairo.cairo_create.restype = ctypes.c_void_p
        data = open(sys.argv[1], "rb").read()
        operator, red, green, blue, alpha, width, height = struct.unpack_from("<7I", data)
        pixels = bytearray(data[28:])
        pixels[0::4], pixels[2::4] = pixels[2::4], pixels[0::4]
        buffer = (ctypes.c_char * len(pixels)).from_buffer(pixels)
        surface = ctypes.c_void_p(cairo.cairo_image_surface_create_for_data(buffer, 0, width, height, width * 4))
        context = ctypes.c_void_p(cairo.cairo_create(surface))
        cairo.cairo_set_operator(context, operator)
        cairo.cairo_set_source_rgba(context, *[ctypes.c_double(c / 255) for c in (red, green, blue, alpha)])
        cairo.cairo_paint(context)
        cairo.cairo_surface_flush(surface)
        cairo.cairo_destroy(context)
        cairo.cairo_surface_destroy(surface)
        pixels[0::4], pixels[2::4] = pixels[2::4], pixels[0::4]
        open(sys.argv[2], "wb").write(pixels)
        """

    /// The picture, premultiplied, after a straight colour was painted all over it.
    static func paint(_ color: [UInt8], mode: String, over picture: Picture) throws -> Picture {
        guard let python, let number = operators.firstIndex(of: mode) else { throw Python.Failure() }
        var input = Data()
        let numbers = [number] + color.map { Int($0) } + [picture.size.width, picture.size.height]
        for value in numbers { withUnsafeBytes(of: UInt32(value).littleEndian) { input.append(contentsOf: $0) } }
        input.append(contentsOf: picture.bytes)
        let output = try python.run(script, input: input)
        return Picture(width: picture.size.width, height: picture.size.height, bytes: Array(output))
    }
}
