import BenchmarkKit
import CBareCodecs
import Foundation

/// The rival `bare-c`: one buffer, used again for each picture.
final class BareDecoder {
    typealias Function = @Sendable (UnsafeMutablePointer<bare_picture>?, UnsafePointer<UInt8>?, Int, Int32) -> Int32

    private let function: Function
    private var picture = bare_picture()

    init(_ function: @escaping Function) { self.function = function }

    deinit { bare_release(&picture) }

    /// Decodes a file; to fit a square with the side `fit`, or in full for 0.
    func decode(_ file: Data, fit: Int) throws {
        let status = file.withUnsafeBytes {
            function(&picture, $0.bindMemory(to: UInt8.self).baseAddress, $0.count, Int32(fit))
        }
        guard status == 0 else { throw Failure("bare-c cannot decode a picture") }
    }

    var width: Int { Int(picture.width) }
    var height: Int { Int(picture.height) }

    /// The pixels of the last picture.
    var pixels: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: picture.pixels, count: width * height * 4) }
}
