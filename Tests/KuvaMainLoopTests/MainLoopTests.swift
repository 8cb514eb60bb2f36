import Foundation
import KuvaMainLoop
import KuvaTesting
import Testing

@Suite(.timeLimit(.minutes(10)))
struct MainLoopTests {
    @Test("libdispatch has the two symbols that CoreFoundation uses")
    @MainActor
    func descriptorIsThere() {
        #expect(MainLoop.hasDescriptor)
    }

    @Test("Off the first thread nothing is attached and nothing breaks")
    @MainActor
    func refusesOtherThreads() {
        #expect(MainLoop.attach() == nil)
        #expect(MainLoop.drive == nil)
        MainLoop.detach()
    }

    @Test("Hops to the main actor run, on the first thread")
    func hops() throws {
        let result = try probe("hops")
        #expect(result == ["drive": "descriptor", "count": "1000", "strays": "0"])
    }

    @Test("Sixteen tasks that hop at once lose nothing")
    func storm() throws {
        #expect(try probe("storm") == ["count": "16000", "strays": "0"])
    }

    @Test("Main actor tasks and DispatchQueue.main share one order")
    func order() throws {
        #expect(try probe("order")["order"] == (0..<1_000).map(String.init).joined(separator: ","))
    }

    @Test("An idle loop sleeps without a timeout")
    func idle() throws {
        #expect(try probe("idle") == ["drive": "descriptor", "rounds": "sleeps,sleeps,sleeps,sleeps,sleeps"])
    }

    @Test("Work from before attaching runs")
    func early() throws {
        #expect(try probe("early")["order"] == "dispatch,task")
    }

    @Test("Detached, work waits for the next attaching")
    func detach() throws {
        #expect(try probe("detach") == ["drive": "none", "detached": "0", "attached": "1"])
    }

    @Test("Attaching twice attaches once")
    func once() throws {
        #expect(try probe("once")["count"] == "0")
    }

    @Test("Redrawing goes before main actor work")
    func redraw() throws {
        let order = Array(repeating: "redraw", count: 10) + Array(repeating: "work", count: 10)
        #expect(try probe("redraw")["order"] == order.joined(separator: ","))
    }

    @Test("A loop inside a callback runs main actor work")
    func nested() throws {
        #expect(try probe("nested")["order"] == "in,work,out")
    }

    @Test("Task.sleep and Dispatch timers work")
    func timers() throws {
        #expect(try probe("timers")["order"] == "sleep,after")
    }

    @Test("Without the symbols, the run loop is polled")
    func polling() throws {
        #expect(try probe("polling") == ["drive": "polling", "count": "20", "strays": "0"])
        #expect(try probe("pollingIdle")["rounds"]?.contains("sleeps") == false)
    }

    /// Runs the probe program, which lies beside the test bundle, and reads its `key=value` lines.
    private func probe(_ scenario: String) throws -> [String: String] {
        let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let program = tests.deletingLastPathComponent().appending(path: "MainLoopProbe")
        let report = FileManager.default.temporaryDirectory.appending(path: "kuva-probe-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: report) }
        let process = try SpawnedProcess(program.path, [scenario], output: report.path)
        #expect(process.wait() == 0)
        let output = try String(contentsOf: report, encoding: .utf8)
        var result: [String: String] = [:]
        for line in output.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { result[String(parts[0])] = String(parts[1]) }
        }
        return result
    }
}
