import KuvaCore
import Testing

@Suite("Transformers: overlay, custom, chain")
struct CompositionTests {
    private func sourceOver(_ top: [UInt8], _ bottom: [UInt8]) -> [UInt8] {
        let rest = 255 - Int(top[3])
        return zip(top, bottom).map { above, below in
            let seen: Int = (2 * Int(below) * rest + 255) / 510
            return above + UInt8(seen)
        }
    }

    @Test func overlayLiesWhereItsAnchorAndOffsetSay() throws {
        let picture = Picture.premultiplied(random: 9, 8)
        let badge = Picture.premultiplied(random: 4, 3)
        for anchor in Anchor.allCases {
            for (dx, dy) in [(0, 0), (-1, 2), (7, -6), (-50, 0)] {
                let transformer = OverlayTransformer(try badge.image(), name: "b", at: anchor, offset: (dx, dy))
                let (column, row) = Self.places[anchor] ?? (0, 0)
                let (left, top) = ([0, 2, 5][column] + dx, [0, 2, 5][row] + dy)
                let result = try transformer.applied(to: picture)
                #expect(
                    result == Picture(9, 8) { x, y in sourceOver(badge.pixel(x - left, y - top), picture[x, y]) },
                    "\(anchor) \(dx) \(dy)"
                )
            }
        }
    }

    private static let places: [Anchor: (Int, Int)] = [
        .topLeft: (0, 0), .top: (1, 0), .topRight: (2, 0), .left: (0, 1), .center: (1, 1), .right: (2, 1),
        .bottomLeft: (0, 2), .bottom: (1, 2), .bottomRight: (2, 2),
    ]

    @Test func underShowsWhereThePictureIsTransparent() throws {
        let picture = Picture.premultiplied(random: 6, 5)
        let ground = Picture(random: 6, 5, isOpaque: true, seed: 4)
        let transformer = OverlayTransformer(try ground.image(), name: "ground", order: .under)
        let result = try transformer.applied(to: picture)
        #expect(result == Picture(6, 5) { x, y in sourceOver(picture[x, y], ground[x, y]) })
        try transformer.expectNothingDone(to: Picture(random: 6, 5, isOpaque: true))
        let faded = OverlayTransformer(try ground.image(), name: "ground", opacity: 0.2, order: .under)
        #expect(try faded.applied(to: Picture(6, 5, of: [0, 0, 0, 0]))[3, 3][3] == 51)
    }

    @Test func opacityMultipliesTheOverlaysAlpha() throws {
        let badge = try Picture(1, 1, of: [255, 0, 0, 255]).image()
        let picture = Picture(1, 1, of: [0, 0, 255, 255])
        let transformer = { OverlayTransformer(badge, name: "b", opacity: $0) }
        #expect(try transformer(0.2).applied(to: picture).bytes == [51, 0, 204, 255])
        try transformer(0).expectNothingDone(to: picture)
        try transformer(-3).expectNothingDone(to: picture)
        try transformer(.nan).expectError(.invalidConfiguration, on: picture)
        try OverlayTransformer(badge, name: "b", offset: (.max, .min)).expectNothingDone(to: picture)
    }

    @Test func aClosureDoesWhatItDoesAndItsErrorsPass() throws {
        let picture = Picture(random: 2, 2)
        try CustomTransformer(name: "same") { image, _ in image }.expectNothingDone(to: picture)
        let failing = CustomTransformer(name: "bad") { _, _ throws(ImageError) in
            throw ImageError(.corruptImage, "no", advice: "none")
        }
        try failing.expectError(.corruptImage, on: picture)
    }

    @Test func aChainDoesItsMembersInOrder() throws {
        let picture = Picture.premultiplied(random: 6, 4)
        let crop = CropTransformer(PixelRect(x: 0, y: 0, width: 3, height: 4))
        let flip = FlipTransformer(horizontally: true)
        let chain = ImageTransformerChain([crop, flip])
        #expect(try chain.applied(to: picture) == flip.applied(to: crop.applied(to: picture)))
        #expect(try chain.applied(to: picture) != crop.applied(to: flip.applied(to: picture)))
        try ImageTransformerChain([]).expectNothingDone(to: picture)
    }

    @Test func aChainSharesTheCacheWithItsMembers() throws {
        let members: [any ImageTransformer] = [.circle, .blur(radius: 2)]
        let one = try ImageRequest(string: "https://example.org/a.png")
        var (listed, chained) = (one, one)
        listed.transformers = members
        chained.transformers = [.chain(members)]
        #expect(listed.cacheKey == chained.cacheKey)
        #expect(ImageTransformerChain(members).key == "circle blur(2)")
        #expect(ImageTransformerChain([.chain(members), .flipVertically]).key == "circle blur(2) flip(v)")
    }
}
