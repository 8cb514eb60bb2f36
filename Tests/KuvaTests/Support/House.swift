import Foundation
import Kuva
import KuvaTesting

/// A whole house for one test: a server, a disk cache in a folder of its own, and a manager over both.
final class House: Sendable {
    let server: LoopbackServer
    let folder: URL
    let disk: DiskCache
    let manager: ImageManager

    init() throws {
        server = try LoopbackServer()
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("kuva-\(UUID().uuidString)")
        disk = DiskCache(configuration: .init(directory: folder.path))
        manager = ImageManager(configuration: .standard(diskCache: disk))
    }

    deinit {
        server.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// A manager on the same disk cache with nothing in memory, as after a restart.
    func restarted() -> ImageManager { ImageManager(configuration: .standard(diskCache: disk)) }

    func load(_ path: String, with other: ImageManager? = nil) async -> Result<ImageResponse, ImageError> {
        let task = (other ?? manager).task(for: ImageRequest(url: server.url(path)))
        do throws(ImageError) {
            return .success(try await task.response)
        } catch {
            return .failure(error)
        }
    }

    func errorCode(_ path: String) async -> ImageError.Code? {
        if case .failure(let error) = await load(path) { error.code } else { nil }
    }

    var entryCount: Int { (try? disk.statistics().entryCount) ?? -1 }
}

/// A picture drawn by hand: GIF87a, 2×1 pixels, one red (255, 0, 0) and one blue (0, 0, 255), without compression.
///
/// Code size 2; the codes, three bits each from the low end: clear (4), 0, 1, end (5) = 100 000 001 101.
let redBlueGIF: Data = {
    var bytes = Array("GIF87a".utf8)
    bytes += [2, 0, 1, 0, 0x80, 0, 0, 255, 0, 0, 0, 0, 255]
    bytes += [0x2C, 0, 0, 0, 0, 2, 0, 1, 0, 0]
    bytes += [2, 2, 0b0100_0100, 0b0000_1010, 0]
    bytes.append(0x3B)
    return Data(bytes)
}()
