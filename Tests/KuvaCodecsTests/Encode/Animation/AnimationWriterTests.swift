import Foundation
import KuvaCore
import Testing

@testable import KuvaCodecs

/// What every animation encoder refuses, and how the registry chooses one.
@Suite("Animation writers")
struct AnimationWriterTests {
    private static let formats: [ImageFormat] = [.gif, .apng, .webp]

    private static func writer(
        _ format: ImageFormat,
        _ size: PixelSize = PixelSize(width: 4, height: 4),
        options: EncodeOptions = EncodeOptions()
    ) throws -> any AnimationWriter {
        try #require(EncoderRegistry.builtIn[animated: format]).makeWriter(size: size, lapCount: nil, options: options)
    }

    private static func picture(_ width: Int = 4, _ alpha: AlphaMode = .opaque) throws -> PixelBuffer {
        try Pixels(width: width, height: 4, bytes: [UInt8](repeating: 255, count: width * 16)).buffer(alpha: alpha)
    }

    private static func code(_ body: () throws -> Void) -> ImageError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? ImageError)?.code
        }
    }

    @Test(arguments: formats)
    func whatCannotBeWrittenIsSaid(format: ImageFormat) throws {
        #expect(EncoderRegistry.builtIn.canEncodeAnimations(format))
        #expect(Self.code { _ = try Self.writer(format, PixelSize(width: 0, height: 4)) } == .limitExceeded)
        #expect(Self.code { _ = try Self.writer(format, PixelSize(width: .max, height: 4)) } == .limitExceeded)
        #expect(Self.code { _ = try Self.writer(format).finish() } == .invalidConfiguration)
        let wrongSize = try Self.writer(format)
        #expect(Self.code { try wrongSize.append(Self.picture(5), duration: .zero) } == .invalidConfiguration)
        // Sticky.
        #expect(Self.code { try wrongSize.append(Self.picture(), duration: .zero) } == .invalidConfiguration)
        #expect(Self.code { _ = try wrongSize.finish() } == .invalidConfiguration)
        let straight = try Self.writer(format)
        #expect(Self.code { try straight.append(Self.picture(4, .straight), duration: .zero) } == .unsupportedFormat)
    }

    @Test(arguments: formats)
    func stopsWhenNobodyWantsIt(format: ImageFormat) throws {
        var options = EncodeOptions()
        let flag = CancellationFlag()
        options.cancellation = flag
        let writer = try Self.writer(format, options: options)
        try writer.append(Self.picture(), duration: .milliseconds(100))
        flag.cancel()
        #expect(Self.code { try writer.append(Self.picture(), duration: .zero) } == .cancelled)
        #expect(Self.code { _ = try writer.finish() } == .cancelled)
    }

    /// A picture whose animation came from no file is written with all its frames; one that is still coming is not.
    @Test func theRegistryWritesAnimations() throws {
        let file = AnimationDamageTests.file
        let animation = try #require(try AnimatedImage.decode(file, decoders: CodecRegistry.builtIn))
        let image = animation.poster.animated(by: animation)
        for format in Self.formats {
            let written = try EncoderRegistry.builtIn.encode(image, as: format)
            let found = try AnimationDecoding(written)
            #expect(found.info.format == format)
            #expect(found.decoder.frameCount == 4)
            for index in 0..<4 where format != .webp {
                let isEqual = try found.frame(index) == Pixels(animation.provider.frame(at: index, pool: .shared))
                #expect(isEqual, "frame \(index) as \(format)")
            }
        }
        let small = try animation.data(as: .apng, maxPixelSize: PixelSize(width: 2, height: 2))
        #expect(try AnimationDecoding(small).info.storedSize == PixelSize(width: 2, height: 2))
        #expect(Self.code { _ = try animation.data(as: .jpeg) } == .unsupportedFormat)

        var growing = GrowingAnimation(decoders: CodecRegistry.builtIn)
        try growing.append(file.dropLast(20), isLast: false)
        let part = try #require(growing.image)
        #expect(Self.code { _ = try part.data(as: .gif) } == .invalidConfiguration)
    }
}
