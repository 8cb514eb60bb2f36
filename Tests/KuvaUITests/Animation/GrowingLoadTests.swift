import FoundationEssentials
import KuvaCodecs
import KuvaCore
import KuvaPipeline
import KuvaTesting
import Testing

@testable import KuvaUI

/// An animation that plays while it downloads: a manager, a loader that the test answers by hand, and a player.
@Suite("Animations that are still coming", .timeLimit(.minutes(10)))
@MainActor
struct GrowingLoadTests {
    /// A GIF drawn by hand: 1 × 1, once; its frames are shown for 10 hundredths of a second each and have the reds 0, 85,
    /// 170 and 255. The codes of a frame have three bits each from the low end: clear (4), its colour, end (5).
    private static let pieces: [Data] = {
        let reds: [UInt8] = [0, 85, 170, 255]
        let screen: [UInt8] = [1, 0, 1, 0, 0x81, 0, 0]
        let head: [UInt8] = Array("GIF89a".utf8) + screen + reds.flatMap { [$0, 0, 0] }
        let frames = (0..<4 as Range<UInt8>).map { index -> [UInt8] in
            let control: [UInt8] = [0x21, 0xF9, 4, 0, 10, 0, 0, 0]
            let image: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0]
            return control + image + [2, 2, 0x44 | index << 3, 1, 0]
        }
        return [Data(head)] + frames.map { Data($0) } + [Data([0x3B])]
    }()
    private static let file = pieces.reduce(Data(), +)

    private let loader = FakeLoader()
    private let pool = WorkPool(name: "one", threads: 1)

    private func task() throws -> ImageTask {
        let manager = ImageManager(
            configuration: .init(
                loaders: [loader],
                decoders: CodecRegistry.builtIn,
                decodePool: pool,
                minimumPreviewInterval: .zero
            )
        )
        let url = try #require(URL(string: "http://pictures.test/a.gif"))
        return manager.task(for: ImageRequest(url: url, wantsPreviews: true, wantsAnimation: true))
    }

    /// Sends a piece and returns when it has been looked at.
    private func send(_ piece: Data) async {
        loader.send(0, piece)
        await withCheckedContinuation { continuation in
            _ = pool.submit(priority: .veryLow) { continuation.resume() }
        }
    }

    @Test func playsWhatIsThereAndNeverGoesBack() async throws {
        let task = try task()
        let shownImages = Lock<[Image]>([])
        task.observe { event in
            switch event {
            case .preview(let image): shownImages.withLock { $0.append(image) }
            case .finished(let response): shownImages.withLock { $0.append(response.image) }
            case .progress, .failed: break
            }
        }
        await loader.waitForLoads(1)
        await send(Self.pieces[0])
        await send(Self.pieces[1].dropLast(1))
        #expect(shownImages.withLock { $0.last?.animation } == nil)
        await send(Self.pieces[1].suffix(1))
        let animation = try #require(shownImages.withLock { $0.last?.animation })
        #expect(animation.frameCount == 1)

        let store = FrameBufferStore(pool: .shared, clock: .system) { $0() }
        var made: ManualDisplayLink?
        let player = AnimatedImagePlayer(animation, store: store) { onTick in
            let link = ManualDisplayLink(framesPerSecond: 100, onTick: onTick)
            made = link
            return link
        }
        let link = try #require(made)
        var (shown, refreshes) = ([Int](), 0)
        player.frameHandler = { index, pixels in
            #expect(pixels.number == index * 85)
            shown.append(index)
        }
        func run(_ count: Int) {
            for _ in 0..<count {
                link.refresh(at: .seconds(1) + .milliseconds(10) * refreshes)
                refreshes += 1
            }
        }
        player.play()
        run(30)
        #expect(shown == [])
        #expect(link.isPaused, "it waits at the last frame known")

        await send(Self.pieces[2])
        #expect(shownImages.withLock { $0.last?.animation } === animation)
        #expect(animation.frameCount == 2)
        player.timelineHasGrown()
        run(30)
        #expect(shown == [1])

        await send(Self.pieces[3])
        loader.succeed(0, with: Self.file)
        let final = try await task.response.image
        #expect(final.animation === animation, "the picture is the animation that plays")
        #expect(final.frameCount == 4)
        #expect(final.loopCount == nil)
        #expect(animation.timeline.isComplete)
        #expect(animation.provider.encodedBytes == Self.file)
        player.timelineHasGrown()
        run(60)
        #expect(shown == [1, 2, 3])
        #expect(player.completedLaps == 1)
        #expect(!player.isPlaying)
    }

    /// A server that sends another file than the bytes it began with: what has been shown is not what was asked for.
    @Test func anotherFileIsAnotherAnimation() async throws {
        let task = try task()
        let first = Lock<AnimatedImage?>(nil)
        task.observe { event in
            if case .preview(let image) = event { first.withLock { $0 = $0 ?? image.animation } }
        }
        await loader.waitForLoads(1)
        await send(Self.pieces[0] + Self.pieces[2])
        #expect(first.withLock { $0 } != nil)
        loader.succeed(0, with: Self.file)
        let final = try await task.response.image
        #expect(final.animation != nil)
        #expect(final.animation !== first.withLock { $0 })
        #expect(final.frameCount == 4)
    }
}
