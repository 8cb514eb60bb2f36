import Foundation
import KuvaCore
import KuvaPipeline
import KuvaTesting
import Testing

@Suite("Stage records", .timeLimit(.minutes(10)))
struct StageRecordTests {
    let loader = FakeLoader()
    let time = ManualTime()
    let records = Lock<[StageRecord]>([])
    let trace = TraceRecorder()

    var manager: ImageManager {
        let (records, trace) = (records, trace)
        return ImageManager(
            configuration: .init(
                memoryCache: FakeImageCache(),
                diskCache: FakeDataCache(),
                loaders: [loader],
                decoders: FakeDecoders(),
                time: time.source,
                onStageEnd: { record in
                    records.withLock { $0.append(record) }
                    trace.record(record)
                }
            )
        )
    }

    func load(_ manager: ImageManager, _ url: URL, _ end: Result<Data, ImageError>) async {
        let task = manager.task(for: ImageRequest(url: url))
        await loader.waitForLoads(1)
        time.advance(by: .milliseconds(20))
        switch end {
        case .success(let bytes): loader.succeed(0, with: bytes)
        case .failure(let error): loader.fail(0, with: error)
        }
        _ = await code(of: task)
        await manager.flush()
    }

    @Test func eachStepIsToldOnceWithItsTimeAndBytes() async throws {
        let url = try #require(URL(string: "http://pictures.test/a"))
        let file = FakeDecoders.file(width: 1, height: 1)
        let manager = manager
        await load(manager, url, .success(file))
        _ = manager.task(for: ImageRequest(url: url))
        let seen = records.withLock { $0 }
        #expect(seen.map(\.stage) == [.cacheRead, .download, .decode, .cacheWrite, .cacheRead])
        #expect(seen[1].duration == .milliseconds(20))
        #expect(seen[1].byteCount == file.count)
        #expect(seen.allSatisfy { $0.error == nil && $0.url == url })
        let statistics = manager.statistics
        #expect(statistics.memoryHitRate == 0.5)
        #expect(statistics.diskHitRate == 0)
        #expect(statistics.loadCount == 1)
        #expect(statistics.loadedByteCount == file.count)
        #expect(statistics.decodeCount == 1)
        #expect(statistics.failureCount == 0)
    }

    @Test func failureIsToldWithItsError() async throws {
        let url = try #require(URL(string: "http://pictures.test/a"))
        let manager = manager
        await load(manager, url, .failure(ImageError(.timedOut, "too slow")))
        let seen = records.withLock { $0 }
        #expect(seen.map(\.stage) == [.cacheRead, .download])
        #expect(seen.last?.error?.code == .timedOut)
        #expect(manager.statistics.failureCount == 1)
    }

    /// The fields that the Trace Event Format requires of a complete event.
    @Test func traceHasCompleteEventsInMicroseconds() async throws {
        let url = try #require(URL(string: "http://pictures.test/a"))
        await load(manager, url, .success(FakeDecoders.file(width: 1, height: 1)))
        let object = try #require(try JSONSerialization.jsonObject(with: trace.json()) as? [String: Any])
        let events = try #require(object["traceEvents"] as? [[String: Any]])
        #expect(events.count == 4)
        let download = try #require(events.first { $0["name"] as? String == "download" })
        #expect(download["ph"] as? String == "X")
        #expect(download["dur"] as? Double == 20_000)
        #expect(download["pid"] is Int && download["tid"] is Int && download["ts"] is Double)
        #expect((download["args"] as? [String: Any])?["url"] as? String == url.absoluteString)
    }
}
