public import FoundationEssentials
internal import KuvaCore

/// Collects the steps of loads as a trace that Perfetto and `chrome://tracing` show (Trace Event Format, complete
/// events). Give ``record(_:)`` to ``ImageManager/Configuration/onStageEnd``. Any thread may call every method.
public final class TraceRecorder: Sendable {
    private struct Line: Encodable, Sendable {
        struct Arguments: Encodable, Sendable {
            let url: String
            let bytes: Int?
            let error: String?
        }

        let name: String
        let ph = "X"
        let cat = "kuva"
        let pid = 1
        let tid: Int
        /// Microseconds.
        let ts: Double
        /// Microseconds.
        let dur: Double
        let args: Arguments

        enum CodingKeys: String, CodingKey { case name, ph, cat, pid, tid, ts, dur, args }
    }

    private struct Trace: Encodable {
        let traceEvents: [Line]
        let displayTimeUnit = "ms"

        enum CodingKeys: String, CodingKey { case traceEvents, displayTimeUnit }
    }

    private struct State: Sendable {
        var lines: [Line] = []
        var rows: [URL: Int] = [:]
    }

    private let state = Lock(State())

    /// Makes an empty trace.
    public init() {}

    /// Adds a step. Each picture has a row of its own.
    public func record(_ record: StageRecord) {
        state.withLock { state in
            let row = state.rows[record.url] ?? state.rows.count + 1
            state.rows[record.url] = row
            state.lines.append(
                Line(
                    name: record.stage.description,
                    tid: row,
                    ts: record.start / .microseconds(1),
                    dur: record.duration / .microseconds(1),
                    args: Line.Arguments(
                        url: record.url.absoluteString,
                        bytes: record.byteCount,
                        error: record.error?.message
                    )
                )
            )
        }
    }

    /// The trace as JSON.
    public func json() -> Data {
        let lines = state.withLock { $0.lines }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Plain numbers and texts always encode; an empty trace is still one.
        return (try? encoder.encode(Trace(traceEvents: lines))) ?? Data(#"{"traceEvents":[]}"#.utf8)
    }
}
