import Foundation
import KuvaCore
import Testing

@Suite("Pixel buffer pool")
struct PixelBufferPoolTests {
    private static let kibibyte = 1 << 10

    /// A canvas of exactly `kibibytes` KiB, and where it lies.
    private func take(_ kibibytes: Int, from pool: PixelBufferPool) throws -> (buffer: PixelBuffer, address: UInt) {
        let size = PixelSize(width: 256, height: kibibytes)
        let buffer = try pool.canvas(PixelLayout(size: size)).freeze()
        return (buffer, address(of: buffer))
    }

    private func address(of buffer: PixelBuffer) -> UInt { buffer.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } }

    @Test func freedMemoryIsUsedAgain() throws {
        let pool = PixelBufferPool()
        let first = try take(64, from: pool).address
        #expect(pool.freeBytes == 64 * Self.kibibyte)
        let second = try take(64, from: pool)
        #expect(second.address == first)
        #expect(pool.freeBytes == 0)
        let third = try take(64, from: pool)
        #expect(third.address != first)
    }

    @Test func droppedCanvasGivesItsMemoryBack() throws {
        let pool = PixelBufferPool()
        do { _ = try pool.canvas(PixelLayout(size: PixelSize(width: 256, height: 8))) }
        #expect(pool.freeBytes == 8 * Self.kibibyte)
    }

    @Test func smallestBlockThatFitsIsTaken() throws {
        let pool = PixelBufferPool()
        var held = try [100, 60, 80].map { try take($0, from: pool) }
        let addresses = held.map(\.address)
        held = []
        #expect(try take(70, from: pool).address == addresses[2])
    }

    @Test func blockOfMoreThanTwiceTheNeedIsNotTaken() throws {
        let pool = PixelBufferPool()
        let large = try take(100, from: pool).address
        #expect(try take(48, from: pool).address != large)
        #expect(try take(52, from: pool).address == large)
    }

    @Test func boundIsKeptByDroppingWhatHasWaitedLongest() throws {
        let pool = PixelBufferPool(maximumFreeBytes: 100 * Self.kibibyte)
        var held = try [40, 44, 48].map { try take($0, from: pool) }
        let addresses = held.map(\.address)
        while !held.isEmpty { held.removeFirst() }
        // 40 + 44 + 48 exceed the bound, 44 + 48 do not.
        #expect(pool.freeBytes == 92 * Self.kibibyte)
        #expect(try take(48, from: pool).address == addresses[2])
        #expect(try take(44, from: pool).address == addresses[1])
    }

    @Test func blockLargerThanTheBoundIsNotKept() throws {
        let pool = PixelBufferPool(maximumFreeBytes: 100 * Self.kibibyte)
        _ = try take(52, from: pool)
        _ = try take(104, from: pool)
        #expect(pool.freeBytes == 52 * Self.kibibyte)
        let nothing = PixelBufferPool(maximumFreeBytes: 0)
        _ = try take(4, from: nothing)
        #expect(nothing.freeBytes == 0)
    }

    @Test func trimmingGivesBackTheLongestUnusedFirst() throws {
        let pool = PixelBufferPool()
        var held = try [40, 44, 48].map { try take($0, from: pool) }
        while !held.isEmpty { held.removeFirst() }
        pool.trim(toBytes: 132 * Self.kibibyte)
        #expect(pool.freeBytes == 132 * Self.kibibyte)
        pool.trim(toBytes: 60 * Self.kibibyte)
        #expect(pool.freeBytes == 48 * Self.kibibyte)
        pool.trim(toBytes: -1)
        #expect(pool.freeBytes == 0)
    }

    @Test func largeBlocksAreAlignedForHugePages() throws {
        let pool = PixelBufferPool()
        let large = try take(2048, from: pool)
        #expect(large.address % (2 << 20) == 0)
        #expect(large.buffer.residentByteCount == 2 << 20)
        let small = try take(1, from: pool)
        #expect(small.address % 64 == 0)
        #expect(small.buffer.residentByteCount == 4096)
    }

    /// What the kernel says of the memory: "hg" stands for advice to use huge pages (proc(5), smaps).
    @Test func largeBlocksAskForHugePages() throws {
        let pool = PixelBufferPool()
        let large = try take(4096, from: pool)
        let small = try take(64, from: pool)
        #expect(try flags(of: large.address).contains("hg"))
        #expect(try !flags(of: small.address).contains("hg"))
        withExtendedLifetime((large.buffer, small.buffer)) {}
    }

    private func flags(of address: UInt) throws -> [Substring] {
        // The kernel gives it piece by piece, and says that the file is empty.
        let file = try #require(FileHandle(forReadingAtPath: "/proc/self/smaps"))
        let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        var isInside = false
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            let bounds = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            if bounds.count == 2 { isInside = (bounds[0]..<bounds[1]).contains(address) }
            if isInside, words[0] == "VmFlags:" { return Array(words.dropFirst()) }
        }
        return []
    }

    @Test func bufferOutlivesItsPoolsOwner() throws {
        var pool: PixelBufferPool? = PixelBufferPool()
        let buffer = try pool?.canvas(PixelLayout(size: PixelSize(width: 2, height: 2))).freeze()
        pool = nil
        #expect(buffer?.withUnsafeBytes { $0.count } == 16)
    }

    @Test func memoryThatTheSystemCannotGiveIsAnError() throws {
        let pool = PixelBufferPool()
        _ = try take(64, from: pool)
        for size in [PixelSize(width: 1 << 40, height: 1 << 18), PixelSize(width: Int.max / 4, height: 1)] {
            do {
                _ = try pool.canvas(PixelLayout(size: size))
                Issue.record("the system gave \(size) pixels")
            } catch {
                #expect(error.code == .outOfMemory)
                #expect(!error.advice.isEmpty)
            }
        }
        // What lay unused was given back before giving up.
        #expect(pool.freeBytes == 0)
    }
}
