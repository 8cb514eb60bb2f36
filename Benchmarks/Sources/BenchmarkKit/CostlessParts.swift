package import FoundationEssentials
package import KuvaCore

/// Decodes anything to one pixel.
package struct Dot: ImageDecoderProvider {
    package init() {}

    package func makeDecoder(forPrefix prefix: Data, options: DecodeOptions) -> (any ImageDecoder)? { Decoder() }

    private final class Decoder: ImageDecoder {
        let format = ImageFormat.png

        func append(_ bytes: Data, isLast: Bool) {}

        func readInfo() throws(ImageError) -> DecoderStep<ImageInfo> {
            let size = PixelSize(width: 1, height: 1)
            return .done(ImageInfo(format: format, storedSize: size, outputLayout: try PixelLayout(size: size)))
        }

        func decodeFrame(into canvas: inout PixelCanvas) throws(ImageError) -> DecoderStep<FrameInfo> {
            _ = canvas.withUnsafeMutableBytes { $0.initializeMemory(as: UInt8.self, repeating: 0) }
            return .done(FrameInfo(index: 0, alpha: .opaque))
        }
    }
}

/// Answers before the call returns.
package struct InstantLoader: ImageLoading {
    private let file = LoadedData(bytes: Data("a file".utf8))

    package init() {}

    package func canLoad(_ url: URL) -> Bool { true }

    package func load(_ request: LoadRequest, handler: @escaping @Sendable (LoadEvent) -> Void) -> any LoadHandle {
        handler(.finished(.success(file)))
        return Ended()
    }

    private struct Ended: LoadHandle {
        func cancel() {}
        func setPriority(_ priority: Priority) {}
    }
}

/// Answers a cancel only.
package struct SilentLoader: ImageLoading {
    package init() {}

    package func canLoad(_ url: URL) -> Bool { true }

    package func load(_ request: LoadRequest, handler: @escaping @Sendable (LoadEvent) -> Void) -> any LoadHandle {
        Waiting(handler: handler)
    }

    private struct Waiting: LoadHandle {
        private static let error = ImageError(.cancelled, "the load was cancelled")
        let handler: @Sendable (LoadEvent) -> Void
        func cancel() { handler(.finished(.failure(Self.error))) }
        func setPriority(_ priority: Priority) {}
    }
}
