import Foundation
import KuvaCore
import Testing

@testable import KuvaCodecs

/// What every decoder promises: limits, cancellation, sticky errors; and how a JPEG's metadata is found.
@Suite("JPEG contract", .enabled(if: Tool.hasJPEG))
struct JPEGContractTests {
    private let progressive = try? JPEGDamageTests.Kind(options: ["-progressive"]).file(width: 100, height: 50)
    private let sequential = try? JPEGDamageTests.Kind(options: []).file(width: 100, height: 50)

    private func error(_ file: Data?, _ change: (inout DecodeOptions) -> Void) throws -> ImageError? {
        var options = DecodeOptions()
        change(&options)
        let file = try #require(file)
        return #expect(throws: ImageError.self) { try Decoding(file, options: options) }
    }

    @Test func limitsAreNamed() throws {
        #expect(try error(sequential) { $0.limits.maximumSide = 99 }?.advice.contains("maximumSide") == true)
        #expect(
            try error(sequential) { $0.limits.maximumSourcePixels = 4999 }?.advice.contains("maximumSourcePixels")
                == true
        )
        #expect(
            try error(sequential) { $0.limits.maximumOutputPixels = 4999 }?.advice.contains("maximumOutputPixels")
                == true
        )
        #expect(try error(progressive) { $0.limits.maximumScanCount = 3 }?.advice.contains("maximumScanCount") == true)
        #expect(try error(progressive) { $0.limits.maximumScanCount = 3 }?.code == .limitExceeded)
    }

    /// A picture of one scan may be larger than the output limit where it is decoded small; one of several is held.
    @Test func outputLimitCountsWhatIsHeld() throws {
        var options = DecodeOptions(targetSize: TargetSize(PixelSize(width: 50, height: 25), mode: .exact))
        options.limits.maximumOutputPixels = 50 * 25
        #expect(try Decoding(#require(sequential), options: options).pixels.width == 50)
        let error = #expect(throws: ImageError.self) { try Decoding(#require(progressive), options: options) }
        #expect(error?.code == .limitExceeded)
    }

    @Test func cancelledStaysCancelled() throws {
        for file in [sequential, progressive] {
            let flag = CancellationFlag()
            let decoder = JPEGDecoder(options: DecodeOptions(cancellation: flag))
            decoder.append(try #require(file), isLast: true)
            guard case .done(let info) = try decoder.readInfo() else { return #expect(Bool(false)) }
            var canvas = try PixelBufferPool.shared.canvas(info.outputLayout)
            flag.cancel()
            for _ in 0..<2 {
                #expect { _ = try decoder.decodeFrame(into: &canvas) } throws: {
                    ($0 as? ImageError)?.code == .cancelled
                }
            }
        }
    }

    @Test func errorsAreSticky() throws {
        let decoder = JPEGDecoder(options: DecodeOptions())
        decoder.append(Data([0xFF, 0xD8, 0xFF, 0xE0, 0]), isLast: true)
        for _ in 0..<2 {
            #expect { _ = try decoder.readInfo() } throws: { ($0 as? ImageError)?.code == .truncatedImage }
        }
    }

    @Test func canvasOfAnotherSizeIsRefused() throws {
        let decoder = JPEGDecoder(options: DecodeOptions())
        decoder.append(try #require(sequential), isLast: true)
        var canvas = try PixelBufferPool.shared.canvas(PixelLayout(size: PixelSize(width: 100, height: 49)))
        #expect { _ = try decoder.decodeFrame(into: &canvas) } throws: {
            ($0 as? ImageError)?.code == .invalidConfiguration
        }
    }

    @Test func denominatorCoversTheTarget() {
        func denominator(_ width: Int, _ height: Int) -> Int {
            JPEGDecoder.denominator(
                for: PixelSize(width: 801, height: 401),
                covering: PixelSize(width: width, height: height)
            )
        }
        #expect(denominator(801, 401) == 1)
        #expect(denominator(402, 201) == 1)
        #expect(denominator(401, 201) == 2, "801 / 2 is 400.5, which libjpeg rounds up")
        #expect(denominator(201, 102) == 2, "one side is not enough")
        #expect(denominator(201, 101) == 4)
        #expect(denominator(101, 51) == 8)
        #expect(denominator(1, 1) == 8)
    }

    /// Segments drawn by hand: a profile in two pieces, second one first, with a comment and fill bytes between.
    @Test func profileInPieces() throws {
        func piece(_ number: UInt8, of count: UInt8, _ bytes: [UInt8]) -> [UInt8] {
            [0xFF, 0xE2, 0, UInt8(bytes.count + 16)] + Array("ICC_PROFILE\0".utf8) + [number, count] + bytes
        }
        func profile(_ segments: [UInt8]...) -> [UInt8] {
            let file = [0xFF, 0xD8] + segments.joined() + [0xFF, 0xDA, 0, 2]
            return file.withUnsafeBytes { bytes in
                JPEGSegments(of: bytes).iccProfile.flatMap { Array(bytes[$0]) }
            }
        }
        let comment: [UInt8] = [0xFF, 0xFE, 0, 4, 0xFF, 0xE2, 0xFF, 0xFF]
        #expect(profile(piece(2, of: 2, [4, 5]), comment, piece(1, of: 2, [1, 2, 3])) == [1, 2, 3, 4, 5])
        #expect(profile(piece(1, of: 2, [1])) == [], "a piece is missing")
        #expect(profile(piece(1, of: 1, [1]), piece(1, of: 1, [1])) == [], "a piece comes twice")
        #expect(profile(piece(0, of: 1, [1])) == [], "pieces count from 1")
        #expect(profile(piece(1, of: 2, [1]), piece(2, of: 3, [1])) == [], "the counts differ")
        #expect(
            profile([0xFF, 0xE2, 0xFF, 0xFF] + Array("ICC_PROFILE\0".utf8) + [1, 1]) == [],
            "longer than the file"
        )
    }
}
