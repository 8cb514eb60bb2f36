import FoundationEssentials
import KuvaCore
import KuvaPipeline
import KuvaTesting
import KuvaUI
import Testing

/// A view that records, its binding, and a manager whose loads the test answers by hand.
@MainActor
final class Stage {
    let loader = FakeLoader()
    let memory = FakeImageCache()
    let view = RecordingView()
    let manager: ImageManager
    var binding: ImageBinding?

    /// - Parameter startsElsewhere: whether loads start on another thread, as those of lists do.
    init(startsElsewhere: Bool = false) {
        manager = ImageManager(
            configuration: .init(memoryCache: memory, loaders: [loader], decoders: FakeDecoders())
        )
        binding = ImageBinding(view: view, manager: manager)
        if startsElsewhere { binding?.starter = TaskStarter() }
    }

    /// How the loads ended, in order: `a loaded network`, `b replaced`.
    private(set) var ends: [String] = []

    /// The binding; the test fails if it is gone.
    func bound() throws -> ImageBinding { try #require(binding) }

    /// Asks for a picture and notes how that ended.
    func set(
        _ name: String?,
        placeholder: Image? = nil,
        in slot: ImageSlot = .image,
        options: ViewLoadOptions = ViewLoadOptions()
    ) throws {
        let request = try name.map { try self.request($0) }
        try bound().setImage(request, placeholder: placeholder, in: slot, options: options) { [weak self] result in
            self?.note(name ?? "nothing", result)
        }
    }

    func note(_ name: String, _ result: Result<ImageResponse, ImageError>) {
        switch result {
        case .success(let response): ends.append("\(name) loaded \(response.origin.rawValue)")
        case .failure(let error): ends.append("\(name) \(error.code)")
        }
    }

    /// Answers a load with an opaque picture of a height of one pixel.
    func succeed(_ id: Int, width: Int) { loader.succeed(id, with: FakeDecoders.file(width: width, height: 1)) }

    /// Answers a load with a failure.
    func fail(_ id: Int) { loader.fail(id, with: ImageError(.timedOut, "too slow")) }

    /// Lets the main queue run until that many loads have ended, or the time limit ends the test.
    func waitForEnds(_ count: Int) async {
        while ends.count < count, !Task.isCancelled { await drainMainQueue() }
    }

    /// Puts a picture into memory as the answer to a name.
    func remember(_ name: String, width: Int) throws {
        memory.store(try picture(width: width), for: try request(name).cacheKey)
    }

    func request(_ name: String) throws -> ImageRequest {
        ImageRequest(url: try #require(URL(string: "http://pictures.test/\(name)")))
    }
}

/// A picture of a height of one pixel.
func picture(width: Int) throws -> Image {
    let layout = try PixelLayout(size: PixelSize(width: width, height: 1))
    var canvas = try PixelBufferPool.shared.canvas(layout)
    canvas.clear(rows: 0..<1)
    return Image(pixels: canvas.freeze())
}
