import KuvaCore
import Testing

@Suite("Cancellation flag")
struct CancellationFlagTests {
    @Test func staysRaisedAndThrowsCancelled() throws {
        let flag = CancellationFlag()
        #expect(!flag.isCancelled)
        try flag.check()
        flag.cancel()
        flag.cancel()
        #expect(flag.isCancelled)
        do {
            try flag.check()
            Issue.record("the flag is raised")
        } catch {
            #expect(error.code == .cancelled)
            #expect(error.isCancellation)
        }
    }
}
