import Glibc

/// Bytes that end where the readable memory ends: one byte read too many kills the test.
func withGuardedBytes<R>(_ bytes: some Collection<UInt8>, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let readable = max(1, (bytes.count + page - 1) / page) * page
    let region = mmap(nil, readable + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)!
    defer { munmap(region, readable + page) }
    mprotect(region + readable, page, PROT_NONE)
    let buffer = UnsafeMutableRawBufferPointer(start: region + readable - bytes.count, count: bytes.count)
    buffer.copyBytes(from: bytes)
    return try body(UnsafeRawBufferPointer(buffer))
}
