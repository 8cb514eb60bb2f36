#if PDF
    import Foundation
    import KuvaCore
    import Testing

    @testable import KuvaCodecs

    /// Small pages written by hand, of rectangles whose pixels can be told.
    @Suite("PDF", .enabled(if: Tool.isPresent("pdftocairo") && Tool.isPresent("pdfinfo")))
    struct PDFTests {
        /// A page of 200 by 100 points, of which the right half is shown, and in that a red square top left and a blue one
        /// bottom right. The origin is bottom left.
        private func page(_ entries: String = "", content: String? = nil) -> Data {
            let content = content ?? "1 0 0 rg 100 50 50 50 re f 0 0 1 rg 150 0 50 50 re f"
            let objects = [
                "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
                "<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/CropBox[100 0 200 100]/Contents 4 0 R\(entries)>>",
                "<</Length \(content.utf8.count)>>stream\n\(content)\nendstream",
            ]
            var file = "%PDF-1.4\n"
            for (index, object) in objects.enumerated() { file += "\(index + 1) 0 obj\(object)endobj\n" }
            return Data((file + "trailer<</Root 1 0 R/Size 5>>").utf8)
        }

        private let red: [UInt8] = [255, 0, 0, 255]
        private let blue: [UInt8] = [0, 0, 255, 255]
        private let white: [UInt8] = [255, 255, 255, 255]

        @Test func firstPageIsDrawn() throws {
            let decoded = try Decoding(page())
            #expect(decoded.info.format == .pdf)
            #expect(decoded.info.pixelDescription == "vector")
            #expect((decoded.pixels.width, decoded.pixels.height) == (100, 100))
            #expect(decoded.pixels[25, 25] == red)
            #expect(decoded.pixels[75, 75] == blue)
            #expect(decoded.pixels[75, 25] == white)
        }

        @Test func crispAtTheSizeAskedFor() throws {
            let options = DecodeOptions(targetSize: TargetSize(PixelSize(width: 400, height: 400)))
            let pixels = try Decoding(page(), options: options).pixels
            #expect((pixels.width, pixels.height) == (400, 400))
            // An edge between points is an edge between pixels.
            #expect(pixels[199, 199] == red)
            #expect(pixels[200, 199] == white)
            #expect(pixels[200, 200] == blue)
        }

        @Test func turnedAsThePageSays() throws {
            let pixels = try Decoding(page("/Rotate 90/CropBox[100 0 200 50]")).pixels
            // The blue square is in the lower half: a quarter turn clockwise brings it from the right to the bottom.
            #expect((pixels.width, pixels.height) == (50, 100))
            #expect(pixels[25, 75] == blue)
            #expect(pixels[25, 25] == white)
        }

        @Test func waitsForTheWholeFile() throws {
            let file = page()
            let parts = try Decoding(file, pieceSize: 100)
            #expect(parts.waits > 0)
            #expect(parts.pixels[25, 25] == red)
        }

        @Test func whatIsNoPDFIsAnError() throws {
            for file in [Data("%PDF-1.4\n".utf8), Data("%PDF-1.4\n".utf8) + Data(count: 5000)] {
                #expect { _ = try Decoding(file) } throws: { ($0 as? ImageError)?.code == .corruptImage }
            }
        }

        @Test func sizeIsRefusedBeforeItIsDrawn() throws {
            var options = DecodeOptions()
            options.limits.maximumOutputPixels = 100 * 100 - 1
            #expect { _ = try Decoding(page(), options: options) } throws: {
                ($0 as? ImageError)?.code == .limitExceeded
            }
        }

        /// A form that draws itself is caught by poppler; ten forms of ten uses each are not, and would take years.
        @Test func whatTakesForEverIsBrokenOff() throws {
            var objects = ""
            for level in 5..<15 {
                let uses = String(repeating: "/F Do ", count: 10)
                let content = level == 14 ? "0 0 1 1 re f" : uses
                objects += "\(level) 0 obj<</Type/XObject/Subtype/Form/BBox[0 0 200 100]/Length \(content.utf8.count)"
                if level < 14 { objects += "/Resources<</XObject<</F \(level + 1) 0 R>>>>" }
                objects += ">>stream\n\(content)\nendstream endobj\n"
            }
            var file = page("/Resources<</XObject<</F 5 0 R>>>>", content: String(repeating: "/F Do ", count: 10))
            file.append(Data(("\n" + objects + "trailer<</Root 1 0 R/Size 15>>").utf8))
            var options = DecodeOptions()
            options.limits.maximumDuration = .seconds(1)
            #expect { _ = try Decoding(file, options: options) } throws: {
                ($0 as? ImageError)?.code == .limitExceeded
            }
        }

        @Test func cancellingEndsTheProgram() throws {
            let flag = CancellationFlag()
            flag.cancel()
            let options = DecodeOptions(cancellation: flag)
            #expect { _ = try Decoding(page(), options: options) } throws: {
                ($0 as? ImageError)?.code == .cancelled
            }
        }

        @Test func sizesOfPages() {
            let answer = "Pages:           1\nPage    1 size:  595.276 x 841.89 pts (A4)\nPage    1 rot:   270\n"
            #expect(PDFFile.pageSize(in: answer) == PixelSize(width: 842, height: 595))
            #expect(PDFFile.pageSize(in: "Page    1 size:  nan x 0 pts") == nil)
            #expect(PDFFile.pageSize(in: "") == nil)
        }
    }
#endif
