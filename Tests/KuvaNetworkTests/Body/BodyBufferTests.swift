import Foundation
import KuvaTesting
import Testing

@testable import KuvaNetwork

@Suite("Body buffer")
struct BodyBufferTests {
    @Test(arguments: [nil, 0, 10, 100_000, 1 << 40] as [Int64?])
    func gathersWhateverWasPromised(_ promise: Int64?) {
        var buffer = BodyBuffer()
        let hasRoom = promise.map { buffer.reserve($0) } ?? true
        #expect(hasRoom)
        let whole = pattern(250_000)
        var rest = whole
        var random = SeededGenerator(seed: 7)
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...20_000, using: &random))
            let isKept = piece.withUnsafeBytes { buffer.append($0) }
            #expect(isKept)
            rest = rest.dropFirst(piece.count)
        }
        let count = buffer.count
        #expect(count == whole.count)
        let taken = buffer.take()
        #expect(taken == whole)
        let again = buffer.take()
        #expect(again.isEmpty)
    }

    @Test func handsOverTheMemoryThatWasWritten() {
        var buffer = BodyBuffer()
        _ = buffer.reserve(100_000)
        var written: UnsafeMutableRawPointer?
        let count = buffer.append(upTo: 100_000) { space in
            written = space.baseAddress
            space.copyBytes(from: pattern(100_000))
            return 100_000
        }
        #expect(count == 100_000)
        let data = buffer.take()
        #expect(data == pattern(100_000))
        #expect(data.withUnsafeBytes { $0.baseAddress } == UnsafeRawPointer(written))
    }
}
