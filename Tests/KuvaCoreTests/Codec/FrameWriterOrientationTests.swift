import KuvaCore
import Testing

@Suite("Frame writer: orientation and alpha")
struct FrameWriterOrientationTests {
    /// Where the stored row 0 and column 0 are in the upright picture: EXIF 2.32, tag 0x0112.
    enum Side { case top, bottom, left, right }
    static let sides: [Orientation: (row: Side, column: Side)] = [
        .up: (.top, .left),
        .upMirrored: (.top, .right),
        .down: (.bottom, .right),
        .downMirrored: (.bottom, .left),
        .leftMirrored: (.left, .top),
        .right: (.right, .top),
        .rightMirrored: (.right, .bottom),
        .left: (.left, .bottom),
    ]

    static func upright(_ stored: Picture, _ orientation: Orientation) throws -> Picture {
        let (rowSide, columnSide) = try #require(sides[orientation])
        let size = orientation.isTransposed ? stored.size.transposed : stored.size
        var upright = Picture(width: size.width, height: size.height, bytes: stored.bytes)
        for row in 0..<stored.size.height {
            for column in 0..<stored.size.width {
                var (x, y) = (0, 0)
                for (side, position) in [(rowSide, row), (columnSide, column)] {
                    switch side {
                    case .top: y = position
                    case .bottom: y = size.height - 1 - position
                    case .left: x = position
                    case .right: x = size.width - 1 - position
                    }
                }
                let offset = (y * size.width + x) * 4
                upright.bytes.replaceSubrange(offset..<(offset + 4), with: stored[column, row])
            }
        }
        return upright
    }

    static let sizes: [PixelSize] =
        (1...6).flatMap { width in (1...6).map { PixelSize(width: width, height: $0) } }
        + [(1, 40), (40, 1), (17, 16), (16, 33), (33, 50), (8, 15)].map { PixelSize(width: $0.0, height: $0.1) }

    @Test(arguments: Orientation.allCases)
    func everyPixelStandsWhereEXIFSaysInEverySize(_ orientation: Orientation) throws {
        for size in Self.sizes {
            let stored = Picture(random: size.width, size.height)
            let straight = try stored.written(as: .straight, orientation: orientation)
            #expect(straight.picture == (try Self.upright(stored.premultiplied, orientation)), "\(size)")
            let opaque = Picture(random: size.width, size.height, isOpaque: true)
            let copied = try opaque.written(as: .opaque, orientation: orientation)
            #expect(copied.picture == (try Self.upright(opaque, orientation)), "\(size)")
            #expect(copied.alpha == .opaque)
        }
    }

    @Test(arguments: Orientation.allCases)
    func rowsThatDoNotComeAreTransparentBlack(_ orientation: Orientation) throws {
        for size in Self.sizes {
            let stored = Picture(random: size.width, size.height, isOpaque: true)
            for rows in Set([0, 1, size.height / 2, size.height - 1]) where rows < size.height {
                let written = try stored.written(as: .opaque, orientation: orientation, rows: rows)
                #expect(written.picture == (try Self.upright(stored.keepingRows(rows), orientation)), "\(size) \(rows)")
                #expect(written.alpha == .premultiplied)
            }
        }
    }

    @Test(arguments: Orientation.allCases)
    func scalingAndTurningIsScalingThenTurning(_ orientation: Orientation) throws {
        for (source, target) in [((40, 30), (13, 21)), ((7, 9), (20, 19)), ((50, 20), (50, 7)), ((3, 70), (2, 40))] {
            let stored = Picture(random: source.0, source.1)
            let size = PixelSize(width: target.0, height: target.1)
            for rows in [source.1, source.1 / 2, 1, 0] {
                let scaled = try stored.written(as: .straight, to: size, rows: rows)
                let both = try stored.written(
                    as: .straight,
                    orientation: orientation,
                    to: orientation.isTransposed ? size.transposed : size,
                    rows: rows
                )
                #expect(both.picture == (try Self.upright(scaled.picture, orientation)))
                #expect(both.alpha == scaled.alpha)
            }
        }
    }

    @Test func alphaModeIsWhatTheBytesSay() throws {
        var picture = Picture(random: 20, 10, isOpaque: true)
        let sizes = [picture.size, PixelSize(width: 7, height: 3), PixelSize(width: 31, height: 12)]
        for size in sizes {
            #expect(try picture.written(as: .straight, to: size).alpha == .opaque)
            #expect(try picture.written(as: .premultiplied, to: size).alpha == .opaque)
            #expect(try picture.written(as: .straight, to: size, rows: 9).alpha == .premultiplied)
        }
        for x in 0..<20 { picture.bytes[(4 * 20 + x) * 4 + 3] = 0 }
        for size in sizes {
            #expect(try picture.written(as: .straight, to: size).alpha == .premultiplied)
            #expect(try picture.written(as: .premultiplied, to: size).alpha == .premultiplied)
        }
    }

    @Test func premultipliedColourIsCutToAlpha() throws {
        let picture = Picture(width: 2, height: 1, bytes: [200, 10, 101, 100, 9, 9, 9, 0])
        let written = try picture.written(as: .premultiplied).picture
        #expect(written.bytes == [100, 10, 100, 100, 0, 0, 0, 0])
    }
}
