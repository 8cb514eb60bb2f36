import KuvaCodecs
import KuvaCore
import Testing

import struct Foundation.Data

/// Cancels the decoding of a whole file before its first row: it fails as cancelled, now and ever after.
func expectEndsWhenCancelled(_ file: Data) throws {
    let flag = CancellationFlag()
    let options = DecodeOptions(cancellation: flag)
    let decoder = try #require(CodecRegistry.builtIn.makeDecoder(forPrefix: file, options: options))
    decoder.append(file, isLast: true)
    guard case .done(let info) = try decoder.readInfo() else { return #expect(Bool(false), "all is there") }
    var canvas = try PixelBufferPool.shared.canvas(info.outputLayout)
    flag.cancel()
    for _ in 0..<2 {
        do {
            _ = try decoder.decodeFrame(into: &canvas)
            Issue.record("it is cancelled")
        } catch {
            #expect(error.code == .cancelled)
        }
    }
}
