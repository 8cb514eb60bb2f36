internal import Kuva

/// Tells the user how a batch of downloads goes. Any thread may call; nothing blocks for long but `close`.
protocol GetReporter: Sendable {
    /// A download starts.
    func began(_ id: Int, name: String)
    /// More bytes came.
    func progressed(_ id: Int, _ progress: LoadProgress)
    /// A picture was saved; the line says where.
    func saved(_ id: Int, line: String)
    /// A picture was not saved; the line says why.
    func failed(_ id: Int, line: String)
    /// Something went wrong on the way without harm to a picture.
    func noted(_ line: String)
    /// The batch has ended. Returns when everything is written.
    func close() async
}

/// Plain lines: results on stdout, errors on stderr, nothing in between. For files, pipes and logs.
struct PlainReporter: GetReporter {
    let console: Console

    func began(_ id: Int, name: String) {}
    func progressed(_ id: Int, _ progress: LoadProgress) {}
    func saved(_ id: Int, line: String) { console.print(line) }
    func failed(_ id: Int, line: String) { console.complain(line) }
    func noted(_ line: String) { console.complain(line) }
    func close() async {}
}

/// Bars on the terminal behind stderr, drawn by a thread of their own, so that a stopped terminal stops no download.
final class BoardReporter: GetReporter {
    private let console: Console
    private let time: TimeSource
    private let board: Lock<ProgressBoard>
    private let painter = WorkPool(name: "kuva-painter", threads: 1)

    init(console: Console, style: ProgressLine.Style, time: TimeSource = .system) {
        self.console = console
        self.time = time
        board = Lock(ProgressBoard(style: style))
    }

    func began(_ id: Int, name: String) {
        board.withLock { $0.began(id, name: name) }
        draw()
    }

    func progressed(_ id: Int, _ progress: LoadProgress) {
        let now = time.monotonic
        if board.withLock({ $0.progressed(id, progress, now: now) }) { draw() }
    }

    /// On one terminal, results stand above the bars; a stdout that goes elsewhere gets them plain.
    func saved(_ id: Int, line: String) {
        let isShared = console.output.isTerminal
        if !isShared { console.print(line) }
        board.withLock { $0.ended(id, line: isShared ? line : nil) }
        draw()
    }

    func failed(_ id: Int, line: String) {
        board.withLock { $0.ended(id, line: "kuva: \(line)") }
        draw()
    }

    func noted(_ line: String) {
        board.withLock { $0.noted("kuva: \(line)") }
        draw()
    }

    func close() async {
        await painter.run { [self] in paint() }
    }

    private func draw() {
        painter.submit(priority: .normal) { [weak self] in self?.paint() }
    }

    private func paint() {
        let size = console.errors.size
        let now = time.monotonic
        console.errors.write(board.withLock { $0.drawing(columns: size.columns, rows: size.rows, now: now) })
    }
}

extension WorkPool {
    /// Runs blocking work on the pool's threads and waits for its result without blocking a thread.
    func run<R: Sendable>(_ body: @escaping @Sendable () -> R) async -> R {
        await withCheckedContinuation { continuation in
            submit(priority: .normal) { continuation.resume(returning: body()) }
        }
    }
}
