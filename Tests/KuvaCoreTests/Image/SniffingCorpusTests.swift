import Foundation
import KuvaCore
import Testing

@Suite("Sniffing the corpus", .enabled(if: Corpus.isAvailable))
struct SniffingCorpusTests {
    static let folders: [String: Set<ImageFormat>] = [
        "apng": [.apng],
        // By the file's brand: some animations are kept among the stills.
        "avif": [.avif, .avis],
        "avif-anim": [.avis],
        "bmp": [.bmp],
        "gif": [.gif],
        "heic": [.heic],
        "ico": [.ico],
        "jpeg": [.jpeg],
        "jxl": [.jpegXL],
        "png": [.png],
        "svg": [.svg],
        "tiff": [.tiff],
        "webp": [.webp],
    ]

    @Test(arguments: folders.keys.sorted())
    func everyFileIsOfTheFormatOfItsFolder(_ folder: String) throws {
        let files = try Corpus.files(in: "formats/\(folder)")
        #expect(!files.isEmpty)
        let formats = try #require(Self.folders[folder])
        for file in files {
            let data = try Data(contentsOf: file)
            let found = ImageFormat(sniffing: data)
            #expect(formats.contains(found), "\(file.lastPathComponent) is \(found)")
            if found == .avis || found == .avif {
                #expect((found == .avis) == data[8..<12].elementsEqual("avis".utf8), "\(file.lastPathComponent)")
            }
            for length in (0...64).map({ $0 * $0 }) where length < data.count {
                let early = withGuardedBytes(data.prefix(length)) { ImageFormat(sniffing: $0) }
                let isRight = early == found || early == .unknown || (found == .apng && early == .png)
                #expect(isRight, "\(file.lastPathComponent) is \(early) by \(length) bytes")
            }
        }
    }

    @Test func photographsAreJPEG() throws {
        let files = try Corpus.files(in: "photos").filter { ["jpg", "jpeg"].contains($0.pathExtension.lowercased()) }
        #expect(!files.isEmpty)
        for file in files { #expect(ImageFormat(sniffing: try Data(contentsOf: file)) == .jpeg) }
    }
}
