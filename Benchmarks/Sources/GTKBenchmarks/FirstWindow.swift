import BenchmarkKit
import CGTK
import Foundation
import Kuva

/// A window of 30 pictures that are in a cache: how many frames after it is on the screen they are all there.
@MainActor
final class FirstWindow {
    private let addresses: Addresses
    private var folder: URL?
    private var disk: DiskCache?

    private static let count = 30

    init(_ addresses: Addresses) { self.addresses = addresses }

    isolated deinit { if let folder { try? FileManager.default.removeItem(at: folder) } }

    var contests: [Contest] {
        [("first-window", false), ("first-window-memory", true)].map { name, isInMemory in
            Contest(
                name,
                metric: "frames",
                unit: "frames",
                ours: .init("kuva") { [self] in try MainActor.assumeIsolated { try measure(isInMemory: isInMemory) } },
                rivals: [.goal(2)]
            )
        }
    }

    private func measure(isInMemory: Bool) throws -> Double {
        let disk = try stockedDisk()
        let manager = try KuvaRows.makeManager(disk)
        if isInMemory { _ = try frames(manager) }
        return try Double(frames(manager))
    }

    /// Frames from the first of the window to the one that has all pictures.
    private func frames(_ manager: ImageManager) throws -> Int {
        let rows = KuvaRows(Self.count, manager, addresses)
        let window = ListWindow(rows: Self.count, makeFactory: rows.makeFactory)
        var frames = 0
        var isComplete = false
        window.onFrame = {
            guard !isComplete else { return }
            frames += 1
            isComplete = rows.deliveredCount >= Self.count
        }
        window.present()
        window.beginFrames()
        let deadline = Clock.wall + 20
        runLoop { isComplete || Clock.wall > deadline }
        window.endFrames()
        window.close()
        guard isComplete else { throw Failure("the pictures of the first window do not come") }
        return frames
    }

    /// A disk cache with the pictures in it.
    private func stockedDisk() throws -> DiskCache {
        if let disk { return disk }
        let folder = FileManager.default.temporaryDirectory.appending(path: "kuva-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.folder = folder
        let disk = DiskCache(configuration: .init(directory: folder.path()))
        let manager = try KuvaRows.makeManager(disk)
        _ = try frames(manager)
        var isStored = false
        Task {
            await manager.flush()
            isStored = true
        }
        runLoop { isStored }
        self.disk = disk
        return disk
    }
}
