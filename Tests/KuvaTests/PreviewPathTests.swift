import Foundation
import Kuva
import KuvaTesting
import Testing

/// Previews on real parts: a picture that shows itself while its bytes come over a socket.
@Suite("Previews over a socket", .timeLimit(.minutes(10)))
struct PreviewPathTests {
    let house: House
    var server: LoopbackServer { house.server }

    init() throws { house = try House() }

    /// 2×2 pixels, drawn by hand: red and blue above blue and red. The codes, three bits each from the low end: clear
    /// (4), 0, 1, clear, 1, 0, end (5), of which the first block holds all but the last two, so that the upper row is
    /// known before the second block comes.
    private let file: (upper: Data, rest: Data) = {
        var bytes = Array("GIF87a".utf8)
        bytes += [2, 0, 2, 0, 0x80, 0, 0, 255, 0, 0, 0, 0, 255]
        bytes += [0x2C, 0, 0, 0, 0, 2, 0, 2, 0, 0]
        bytes += [2, 2, 0b0100_0100, 0b0001_1000]
        return (Data(bytes), Data([1, 0b0001_0100, 0, 0x3B]))
    }()

    private func chunk(_ bytes: Data) -> Data {
        Data("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Data("\r\n".utf8)
    }

    private func colours(_ image: Image, row: Int) -> [[UInt8]] {
        (0..<2).map { x in
            let pixel = image.pixels.rgba(x: x, y: row)
            return pixel.map { [$0.red, $0.green, $0.blue, $0.alpha] } ?? []
        }
    }

    /// A body in chunks says no length (RFC 9112 §7.1), so that progress is indeterminate and previews come all the
    /// same.
    @Test func aBodyWithoutALengthShowsItselfWhileItComes() async throws {
        let gate = Gate()
        let head = ScriptedResponse.head(200, ["Content-Type": "image/gif", "Transfer-Encoding": "chunked"])
        server.route(
            "/a.gif",
            ScriptedResponse([
                .send(head + chunk(file.upper)), .wait(gate), .send(chunk(file.rest) + chunk(Data())),
            ])
        )
        let (red, blue): ([UInt8], [UInt8]) = ([255, 0, 0, 255], [0, 0, 255, 255])
        let task = house.manager.task(for: ImageRequest(url: server.url("/a.gif"), wantsPreviews: true))
        let whole = Int64(file.upper.count + file.rest.count)
        var (previews, received, finals) = (0, Int64(0), 0)
        for await event in task.events {
            switch event {
            case .progress(let progress):
                // Known only when it is all there.
                #expect(progress.expectedByteCount == nil || progress.receivedByteCount == whole)
                received = progress.receivedByteCount
            case .preview(let image):
                previews += 1
                #expect(image.pixelSize == PixelSize(width: 2, height: 2))
                #expect(colours(image, row: 0) == [red, blue])
                // Nothing of the second block is sent before this.
                gate.open()
            case .finished(let response):
                finals += 1
                #expect(colours(response.image, row: 0) == [red, blue])
                #expect(colours(response.image, row: 1) == [blue, red])
                #expect(response.encodedByteCount == file.upper.count + file.rest.count)
            case .failed(let error):
                Issue.record("\(error)")
            }
        }
        #expect(previews >= 1)
        #expect(finals == 1)
        #expect(received == whole)
    }
}
