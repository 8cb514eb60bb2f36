import CKuvaCountingMalloc
import FoundationEssentials
import Glibc
import KuvaCore
import KuvaNetwork
import KuvaTesting

// Loads bodies of a server as often as it is told, many of them cancelled at random. Prints how many loads did not end
// exactly once and as they should, how many are left, the open descriptors after a quarter of them and at the end, and the
// bytes of memory held after each quarter. The server is in another process, so that both numbers are the downloader's.

/// The ends of each load: 1 after one as it should be.
final class Tally: Sendable {
    private let ends: Lock<[UInt8]>
    private let handles: Lock<[(any LoadHandle)?]>

    init(count: Int) {
        ends = Lock([UInt8](repeating: 0, count: count))
        handles = Lock([(any LoadHandle)?](repeating: nil, count: count))
    }

    func ended(_ number: Int, well isRight: Bool) { ends.withLock { $0[number] &+= isRight ? 1 : 2 } }
    func keep(_ handle: any LoadHandle, of number: Int) { handles.withLock { $0[number] = handle } }
    func cancel(_ number: Int) { handles.withLock { $0[number] }?.cancel() }
    var isComplete: Bool { ends.withLock { $0.allSatisfy { $0 > 0 } } }
    var wrongCount: Int { ends.withLock { $0.count { $0 != 1 } } }
}

/// The body of number n has 1,000 × (n mod 5 + 1) bytes.
func storm(_ downloader: Downloader, _ server: URL, count: Int, seed: UInt64) async -> Int {
    var random = SeededGenerator(seed: seed)
    let tally = Tally(count: count)
    for number in 0..<count {
        // Some share a transfer, some are cancelled at once, some later, some from inside their own events.
        let cancelsInside = Int.random(in: 0..<10, using: &random) == 0
        let place = "/\(number % 5)?\(Int.random(in: 0..<2000, using: &random))"
        guard let url = URL(string: place, relativeTo: server) else { continue }
        let request = LoadRequest(
            url: url.absoluteURL,
            priority: Priority.allCases.randomElement(using: &random) ?? .normal,
            wantsBytes: Bool.random(using: &random)
        )
        let handle = downloader.load(request) { event in
            switch event {
            case .finished(.success(let loaded)):
                tally.ended(number, well: loaded.bytes.count == 1000 * (number % 5 + 1))
            case .finished(.failure(let error)): tally.ended(number, well: error.code == .cancelled)
            default:
                if cancelsInside { tally.cancel(number) }
            }
        }
        tally.keep(handle, of: number)
        if Int.random(in: 0..<4, using: &random) == 0 { handle.cancel() }
        if Int.random(in: 0..<4, using: &random) == 0 { tally.cancel(Int.random(in: 0...number, using: &random)) }
        if number.isMultiple(of: 100) { await Task.yield() }
    }
    while !tally.isComplete, !Task.isCancelled { await Task.yield() }
    return tally.wrongCount
}

let arguments = CommandLine.arguments
guard arguments.count == 3, let server = URL(string: arguments[1]), let count = Int(arguments[2]) else { exit(2) }
var configuration = Downloader.Configuration()
configuration.usesProxyFromEnvironment = false
configuration.retry = .never
configuration.maximumConcurrentLoads = 16
configuration.maximumConcurrentLoadsPerHost = 16
configuration.connectTimeout = .seconds(3600)
configuration.firstByteTimeout = .seconds(3600)
configuration.idleTimeout = .seconds(3600)
configuration.minimumSpeed = nil
let downloader = try Downloader(configuration: configuration)
// The first quarter makes what stays, too: connections, handles, the heap.
var (wrong, descriptors, bytes): (Int, [Int], [Int]) = (0, [], [])
for quarter in 0..<4 {
    wrong += await storm(downloader, server, count: count / 4, seed: UInt64(quarter + 1))
    descriptors.append(ProcessState.openDescriptorCount)
    bytes.append(kuva_counting_malloc_held())
}
print(wrong, downloader.currentLoadCount, descriptors[0], descriptors[3])
for count in bytes { print(count) }
