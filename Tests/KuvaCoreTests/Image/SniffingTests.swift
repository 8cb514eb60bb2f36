import KuvaCore
import Testing

@Suite("Sniffing")
struct SniffingTests {
    @Test func emptyInputIsUnknown() {
        #expect(ImageFormat(sniffing: UnsafeRawBufferPointer(start: nil, count: 0)) == .unknown)
    }
}
