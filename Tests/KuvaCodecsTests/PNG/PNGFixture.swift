import Foundation
import Testing

/// PNG files of every kind, written by a Python script after the specification and from samples that it keeps, so that
/// the pixels are known without any decoder; Pillow reads those back that it can.
struct PNGFixture: CustomTestStringConvertible, Sendable {
    let name: String
    let file: Data
    /// Straight RGBA8.
    let pixels: Pixels

    var testDescription: String { name }

    /// Empty where there is no Python with Pillow.
    static let all: [PNGFixture] = {
        guard let python = Tool.python, let data = try? Tool.run(python, "-c", script) else { return [] }
        var (result, bytes) = ([PNGFixture](), data[...])
        func number() -> Int {
            defer { bytes = bytes.dropFirst(4) }
            return bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        }
        func block() -> Data {
            let count = number()
            defer { bytes = bytes.dropFirst(count) }
            return Data(bytes.prefix(count))
        }
        while !bytes.isEmpty {
            let (width, height, name, file) = (number(), number(), block(), block())
            let pixels = Pixels(width: width, height: height, bytes: Array(block()))
            result.append(PNGFixture(name: String(decoding: name, as: UTF8.self), file: file, pixels: pixels))
        }
        return result
    }()

    static func named(_ name: String) -> PNGFixture? { all.first { $0.name == name } }

    /// The rules are those of PNG third edition, §7.2 (packing), §8.2 (Adam7), §9.2 (filters), §11.3.1.1 (tRNS).
    private static let script = #"""
        import sys, io, zlib, struct, random
        from PIL import Image
        rnd = random.Random(7)
        out = sys.stdout.buffer

        def chunk(kind, body):
            return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

        def pack(samples, depth):
            if depth == 16: return b"".join(struct.pack(">H", s) for s in samples)
            if depth == 8: return bytes(samples)
            bits = "".join(format(s, "0%db" % depth) for s in samples)
            bits += "0" * (-len(bits) % 8)
            return bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8))

        def paeth(a, b, c):
            p = a + b - c
            pa, pb, pc = abs(p - a), abs(p - b), abs(p - c)
            return a if pa <= pb and pa <= pc else b if pb <= pc else c

        def filtered(rows, bpp, choose):
            data, above = b"", None
            for row in rows:
                kind = choose()
                above = above or bytes(len(row))
                line = bytearray()
                for i, x in enumerate(row):
                    a = row[i - bpp] if i >= bpp else 0
                    c = above[i - bpp] if i >= bpp else 0
                    b = above[i]
                    p = [0, a, b, (a + b) // 2, paeth(a, b, c)][kind]
                    line.append((x - p) & 255)
                data += bytes([kind]) + bytes(line)
                above = row
            return data

        passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]

        def case(colour, depth, interlaced, strategy, width, height, transparent):
            channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour]
            top = (1 << depth) - 1
            colours = min(top + 1, 200) if colour == 3 else 0
            # Few different samples, so that a transparent colour is met; neighbours alike, so that filters matter.
            values = [rnd.randrange(colours) if colours else rnd.randint(0, top) for _ in range(5)]
            grid = [[[rnd.choice(values) for _ in range(channels)] for _ in range(width)] for _ in range(height)]
            for y in range(height):
                for x in range(width):
                    if not colours and depth >= 8 and rnd.random() < .5:
                        grid[y][x] = [min(top, v + rnd.randint(0, 9)) for v in grid[y][x - 1] if True][:channels]
            palette = [tuple(rnd.randint(0, 255) for _ in range(3)) for _ in range(colours)]
            alphas = [rnd.choice([0, 255, 90]) for _ in range(max(1, colours // 2))] if colours and transparent else []
            key = grid[height // 2][width // 2] if transparent and colour in (0, 2) else None
            bpp = max(1, depth * channels // 8)
            choose = (lambda: strategy) if strategy < 5 else (lambda: rnd.randint(0, 4))
            raw = b""
            for (x0, y0, dx, dy) in (passes if interlaced else [(0, 0, 1, 1)]):
                rows = [pack([s for x in range(x0, width, dx) for s in grid[y][x]], depth)
                        for y in range(y0, height, dy)]
                if x0 < width: raw += filtered(rows, bpp, choose)
            packed = zlib.compress(raw, rnd.choice([0, 1, 6, 9]))
            file = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(
                ">IIBBBBB", width, height, depth, colour, 0, 0, interlaced))
            if colours: file += chunk(b"PLTE", bytes(v for entry in palette for v in entry))
            if alphas: file += chunk(b"tRNS", bytes(alphas))
            if key: file += chunk(b"tRNS", struct.pack(">%dH" % channels, *key))
            cuts = sorted(rnd.randint(0, len(packed)) for _ in range(2))
            for part in (packed[:cuts[0]], packed[cuts[0]:cuts[1]], packed[cuts[1]:]): file += chunk(b"IDAT", part)
            file += chunk(b"IEND", b"")
            def eight(v): return v >> 8 if depth == 16 else v * 255 // top
            rgba = bytearray()
            for row in grid:
                for p in row:
                    if colours:
                        rgba += bytes(palette[p[0]]) + bytes([alphas[p[0]] if p[0] < len(alphas) else 255])
                        continue
                    v = [eight(s) for s in p]
                    rgb = v[:3] if channels >= 3 else v[:1] * 3
                    alpha = v[-1] if colour & 4 else 0 if key and p == key else 255
                    rgba += bytes(rgb) + bytes([alpha])
            rgba = bytes(rgba)
            if depth <= 8:
                seen = Image.open(io.BytesIO(file)).convert("RGBA").tobytes()
                assert seen == rgba or key and depth < 8, "Pillow reads other pixels"
            name = "colour %d, %d bits%s, filter %s, %dx%d%s" % (
                colour, depth, ", interlaced" if interlaced else "", strategy if strategy < 5 else "mixed",
                width, height, ", tRNS" if transparent else "")
            out.write(struct.pack(">III", width, height, len(name)) + name.encode())
            out.write(struct.pack(">I", len(file)) + file + struct.pack(">I", len(rgba)) + rgba)

        for colour, depths in [(0, (1, 2, 4, 8, 16)), (2, (8, 16)), (3, (1, 2, 4, 8)), (4, (8, 16)), (6, (8, 16))]:
            for depth in depths:
                for interlaced in (0, 1):
                    for strategy in range(6):
                        for size in [(1, 1), (5, 3), (21, 13)]:
                            for transparent in ((0, 1) if colour in (0, 2, 3) else (0,)):
                                case(colour, depth, interlaced, strategy, *size, transparent)
        """#
}
