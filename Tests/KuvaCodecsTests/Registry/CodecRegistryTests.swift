import FoundationEssentials
import KuvaCodecs
import KuvaCore
import Testing

@Suite("Codec registry")
struct CodecRegistryTests {
    private final class Stub: ImageDecoder {
        let format: ImageFormat
        init(_ format: ImageFormat) { self.format = format }
        func append(_ bytes: Data, isLast: Bool) {}
        func readInfo() throws(ImageError) -> DecoderStep<ImageInfo> { .needsMoreBytes }
        func decodeFrame(into canvas: inout PixelCanvas) throws(ImageError) -> DecoderStep<FrameInfo> { .end }
    }

    @Test func lastRegisteredIsAskedFirstAndMayDecline() {
        let mine = ImageFormat(name: "mine", mediaType: "image/x-mine", fileExtension: "mine")
        var registry = CodecRegistry()
        registry.register([.gif]) { _, _ in Stub(.gif) }
        registry.register { prefix, _, _ in prefix.count > 10 ? Stub(mine) : nil }
        #expect(registry.makeDecoder(forPrefix: Data("GIF89a".utf8), options: DecodeOptions())?.format == .gif)
        #expect(registry.makeDecoder(forPrefix: Data("GIF89a......".utf8), options: DecodeOptions())?.format == mine)
        #expect(registry.makeDecoder(forPrefix: Data("nothing".utf8), options: DecodeOptions()) == nil)
    }

    @Test func hintCountsOnlyWhereBytesDoNotTell() {
        var registry = CodecRegistry()
        registry.register([.gif, .png]) { format, _ in Stub(format) }
        let hinted = DecodeOptions(formatHint: .png)
        #expect(registry.makeDecoder(forPrefix: Data("GIF89a".utf8), options: hinted)?.format == .gif)
        #expect(registry.makeDecoder(forPrefix: Data("?".utf8), options: hinted)?.format == .png)
    }
}
