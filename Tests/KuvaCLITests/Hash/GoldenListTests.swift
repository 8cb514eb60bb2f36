import Foundation
import KuvaTesting
import Testing

/// What `kuva hash --pixels` says of the picture corpus that `KUVA_CORPUS` names, against the list in the repository,
/// and that list against what the corpus's two independent decoders say.
@Suite("Golden list", .enabled(if: GoldenList.corpus != nil))
struct GoldenListTests {
    @Test(.timeLimit(.minutes(10))) func everyPictureIsWhatItWas() async throws {
        let golden = try GoldenList.lines()
        let corpus = try #require(GoldenList.corpus)
        let kuva = ExternalProgram(built: "kuva")
        let outcome = try await kuva.run(["hash", "--pixels"] + golden.map(\.path), folder: corpus)
        let now = outcome.outputText.split(separator: "\n").map(String.init)
        let changed = zip(golden, now).filter { $0.text != $1 }
        let report = changed.map { "-\($0.text)\n+\($1)" }.joined(separator: "\n")
        #expect(now.count == golden.count)
        #expect(changed.isEmpty, "script/golden writes the list anew, if this is meant:\n\(report)")
    }

    /// Where we do not follow two decoders that agree, and why.
    static let departures = [
        "formats/bmp/Pillow__rgb16-231.bmp": "both others leave the bits below 3-bit samples at zero",
        "formats/bmp/image__V3_X4_R4_G4_B4.bmp": "both others leave the bits below 4-bit samples at zero",
        "formats/ico/image__bmp_v5_with_icc.ico": "a profile stands where both others look for a mask",
        "formats/jxl/jxlconf__sunset_logo.jxl": "both others turn it, and stored pixels are not turned",
    ]

    /// Where two decoders agree on every byte, that is what the list has.
    @Test func theListIsThatOfTheReferences() throws {
        let golden = Dictionary(uniqueKeysWithValues: try GoldenList.lines().map { ($0.path, $0) })
        var checked = 0
        for row in GoldenList.references where row["exact"] == "yes" && Self.departures[row["path"] ?? ""] == nil {
            let line = try #require(golden[row["path"] ?? ""])
            guard line.status == "ok" else { continue }
            // Browsers' way to compose a GIF is another one than Pillow's; a note after the hash says how many frames.
            let browser = (row["sha256_browser"] ?? "").split(separator: " ").first.map(String.init)
            if line.frames == Int(row["frames"] ?? "") {
                #expect([row["sha256_rgba8"], browser].contains(line.hash), "\(line.path)")
            } else if browser == nil {
                #expect(line.hash == row["sha256_frame0"], "\(line.path)")
            }
            checked += 1
        }
        #expect(checked > 400, "the list has lost its pictures")
    }
}

enum GoldenList {
    struct Line {
        let text: String
        let path: String
        let status: String
        let frames: Int
        let hash: String

        init?(_ text: Substring) {
            let fields = text.split(separator: "\t").map(String.init)
            guard fields.count == 6, let frames = Int(fields[4]) else { return nil }
            (self.text, path, status, self.frames, hash) = (String(text), fields[0], fields[1], frames, fields[5])
        }
    }

    static let corpus = ProcessInfo.processInfo.environment["KUVA_CORPUS"].map { URL(fileURLWithPath: $0) }

    static func lines() throws -> [Line] {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..")
        let file = tests.appendingPathComponent("Golden/pixels.tsv").standardizedFileURL
        let text = try String(contentsOf: file, encoding: .utf8)
        return text.split(separator: "\n").compactMap { Line($0) }
    }

    /// The rows of the corpus's indexes of whole files.
    static var references: [[String: String]] {
        ["photos", "formats"].flatMap { set -> [[String: String]] in
            guard let index = corpus?.appendingPathComponent("\(set)/index.tsv"),
                let text = try? String(contentsOf: index, encoding: .utf8)
            else { return [] }
            let rows = text.split(separator: "\n").map { line in
                line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            }
            return rows.dropFirst().map { Dictionary(zip(rows[0], $0)) { first, _ in first } }
        }
    }
}
