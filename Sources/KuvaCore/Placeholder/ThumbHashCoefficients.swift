/// What a ThumbHash holds: luma, yellow against blue, red against green, and alpha where there is any.
struct ThumbHashCoefficients {
    private let luma: ThumbHashChannel
    private let yellowBlue: ThumbHashChannel
    private let redGreen: ThumbHashChannel
    private let alpha: ThumbHashChannel?
    private let isLandscape: Bool
    /// The number of luma's coefficients along the shorter side, from 1, before the minimum of three.
    private let shortCount: Int

    /// Along the longer side.
    private static func longCount(hasAlpha: Bool) -> Int { hasAlpha ? 5 : 7 }

    var aspectRatio: Double {
        let long = Double(Self.longCount(hasAlpha: alpha != nil))
        return isLandscape ? long / Double(shortCount) : Double(shortCount) / long
    }

    /// 32 for the longer side.
    var defaultSize: PixelSize {
        let ratio = aspectRatio
        return PixelSize(
            width: max(1, ThumbHashChannel.rounded(ratio > 1 ? 32 : 32 * ratio)),
            height: max(1, ThumbHashChannel.rounded(ratio > 1 ? 32 / ratio : 32))
        )
    }

    var averageColor: Color {
        let straight = Self.bytes(luma.average, yellowBlue.average, redGreen.average)
        let opacity = UInt8(max(0, min(1, alpha?.average ?? 1)) * 255)
        return Color(red: straight.0, green: straight.1, blue: straight.2, alpha: opacity)
    }

    fileprivate static func bytes(_ l: Double, _ p: Double, _ q: Double) -> (UInt8, UInt8, UInt8) {
        let blue = l - 2 / 3 * p
        let red = (3 * l - blue + q) / 2
        let channels = (red, red - q, blue)
        func byte(_ value: Double) -> UInt8 { UInt8(max(0, min(1, value)) * 255) }
        return (byte(channels.0), byte(channels.1), byte(channels.2))
    }
}

// MARK: From and to pixels

extension ThumbHashCoefficients {
    init(of pixels: SmallPixels) {
        let size = pixels.size
        let count = size.width * size.height
        let alphas = (0..<count).map { Double(pixels.bytes[$0 * 4 + 3]) / 255 }
        let opacity = alphas.reduce(0, +)
        // Colours are premultiplied, so that their sums are weighed by alpha already.
        var average = [0.0, 0.0, 0.0]
        for index in 0..<count {
            for channel in 0..<3 { average[channel] += Double(pixels.bytes[index * 4 + channel]) / 255 }
        }
        if opacity > 0 { average = average.map { $0 / opacity } }
        let hasAlpha = alphas.contains { $0 < 1 }

        var (l, p, q): ([Double], [Double], [Double]) = ([], [], [])
        for index in 0..<count {
            let rgb = (0..<3).map { channel in
                average[channel] * (1 - alphas[index]) + Double(pixels.bytes[index * 4 + channel]) / 255
            }
            l.append((rgb[0] + rgb[1] + rgb[2]) / 3)
            p.append((rgb[0] + rgb[1]) / 2 - rgb[2])
            q.append(rgb[0] - rgb[1])
        }
        let (long, longest) = (Self.longCount(hasAlpha: hasAlpha), Double(max(size.width, size.height)))
        func frequencies(_ side: Int) -> Int { max(1, ThumbHashChannel.rounded(Double(long * side) / longest)) }
        let (columns, rows) = (frequencies(size.width), frequencies(size.height))
        luma = ThumbHashChannel(of: l, size: size, columns: max(3, columns), rows: max(3, rows))
        yellowBlue = ThumbHashChannel(of: p, size: size, columns: 3, rows: 3)
        redGreen = ThumbHashChannel(of: q, size: size, columns: 3, rows: 3)
        alpha = hasAlpha ? ThumbHashChannel(of: alphas, size: size, columns: 5, rows: 5) : nil
        isLandscape = size.width > size.height
        shortCount = isLandscape ? rows : columns
    }

    func image(_ size: PixelSize, pool: PixelBufferPool) throws(ImageError) -> Image {
        let across = Cosines(frequencies: 7, length: size.width, shift: 0.5)
        let down = Cosines(frequencies: 7, length: size.height, shift: 0.5)
        var canvas = try pool.canvas(PixelLayout(size: size))
        var writer = try FrameWriter(storedSize: size, rowAlpha: .straight, output: canvas.layout)
        var row = [UInt8](repeating: 255, count: size.width * 4)
        for y in 0..<size.height {
            let l = luma.line(y, across: across, down: down, width: size.width)
            let p = yellowBlue.line(y, across: across, down: down, width: size.width)
            let q = redGreen.line(y, across: across, down: down, width: size.width)
            let a = alpha?.line(y, across: across, down: down, width: size.width)
            for x in 0..<size.width {
                (row[x * 4], row[x * 4 + 1], row[x * 4 + 2]) = Self.bytes(l[x], p[x], q[x])
                if let a { row[x * 4 + 3] = UInt8(max(0, min(1, a[x])) * 255) }
            }
            row.withUnsafeBytes { writer.write($0.baseAddress!, bytesPerRow: size.width * 4, count: 1, into: &canvas) }
        }
        let alpha = writer.finish(into: &canvas)
        return Image(pixels: canvas.freeze(alpha: alpha))
    }
}

// MARK: From and to bytes

extension ThumbHashCoefficients {
    var bytes: [UInt8] {
        let rounded = ThumbHashChannel.rounded
        var header = rounded(63 * luma.average) | rounded(31.5 + 31.5 * yellowBlue.average) << 6
        header |= rounded(31.5 + 31.5 * redGreen.average) << 12
        header |= rounded(31 * luma.scale) << 18 | (alpha == nil ? 0 : 1) << 23
        let second = shortCount | rounded(63 * yellowBlue.scale) << 3 | rounded(63 * redGreen.scale) << 9
        header |= (second | (isLandscape ? 1 : 0) << 15) << 24
        var bytes = (0..<5).map { UInt8(truncatingIfNeeded: header >> (8 * $0)) }
        var nibbles: [Int] = []
        if let alpha { nibbles += [rounded(15 * alpha.average), rounded(15 * alpha.scale)] }
        for channel in [luma, yellowBlue, redGreen] { nibbles += channel.nibbles }
        nibbles += alpha?.nibbles ?? []
        for index in stride(from: 0, to: nibbles.count, by: 2) {
            bytes.append(UInt8(nibbles[index] | (index + 1 < nibbles.count ? nibbles[index + 1] << 4 : 0)))
        }
        return bytes
    }

    init(_ bytes: [UInt8]) throws(ImageError) {
        guard bytes.count >= 5 else { throw Self.truncated(bytes.count, of: 5) }
        let header = bytes[..<5].reversed().reduce(0) { $0 << 8 | Int($1) }
        let hasAlpha = header >> 23 & 1 != 0
        isLandscape = header >> 39 & 1 != 0
        shortCount = max(1, header >> 24 & 7)
        let (short, long) = (max(3, shortCount), Self.longCount(hasAlpha: hasAlpha))
        let (columns, rows) = isLandscape ? (long, short) : (short, long)
        let lumaCount = ThumbHashChannel.detailCount(columns: columns, rows: rows)
        let colourCount = ThumbHashChannel.detailCount(columns: 3, rows: 3)
        let alphaCount = hasAlpha ? ThumbHashChannel.detailCount(columns: 5, rows: 5) : 0
        let nibbleCount = (hasAlpha ? 2 : 0) + lumaCount + 2 * colourCount + alphaCount
        let length = 5 + (nibbleCount + 1) / 2
        guard bytes.count >= length else { throw Self.truncated(bytes.count, of: length) }

        var nibbles = bytes[5...].flatMap { [Double($0 & 15), Double($0 >> 4)] }[...]
        func channel(_ columns: Int, _ rows: Int, _ average: Double, _ scale: Double, _ count: Int) -> ThumbHashChannel
        {
            let details = nibbles.prefix(count).map { ($0 / 7.5 - 1) * scale }
            nibbles = nibbles.dropFirst(count)
            return ThumbHashChannel(columns: columns, rows: rows, average: average, scale: scale, details: details)
        }
        let opacity = hasAlpha ? nibbles.prefix(2).map { $0 / 15 } : []
        nibbles = nibbles.dropFirst(opacity.count)
        func number(_ shift: Int, _ mask: Int) -> Double { Double(header >> shift & mask) }
        luma = channel(columns, rows, number(0, 63) / 63, number(18, 31) / 31, lumaCount)
        // The published decoder makes colours a quarter stronger, for what rounding took.
        yellowBlue = channel(3, 3, number(6, 63) / 31.5 - 1, number(27, 63) / 63 * 1.25, colourCount)
        redGreen = channel(3, 3, number(12, 63) / 31.5 - 1, number(33, 63) / 63 * 1.25, colourCount)
        alpha = hasAlpha ? channel(5, 5, opacity[0], opacity[1], alphaCount) : nil
    }

    private static func truncated(_ count: Int, of length: Int) -> ImageError {
        ImageError(
            .truncatedImage,
            "the ThumbHash ends after \(count) of \(length) bytes",
            advice: "check that it is stored and sent whole",
            stage: .decode
        )
    }
}
