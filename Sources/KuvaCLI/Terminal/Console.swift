internal import Glibc
internal import Kuva

/// Where the program's words go: results to stdout, everything else to stderr.
///
/// Each call writes whole lines, one call at a time. Any thread may call; a call blocks as long as the reader does.
struct Console: Sendable {
    /// One of the two streams.
    final class Stream: Sendable {
        private let descriptor: Int32
        private let turn = Lock(())

        init(descriptor: Int32) { self.descriptor = descriptor }

        /// Whether a person looks at it who can be shown moving pictures.
        var isTerminal: Bool {
            guard isatty(descriptor) == 1, let type = getenv("TERM") else { return false }
            return strcmp(type, "dumb") != 0 && strcmp(type, "") != 0
        }

        /// Columns and rows of the terminal; 80 by 24 where it does not say.
        var size: (columns: Int, rows: Int) {
            var size = winsize()
            guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return (80, 24) }
            return (Int(size.ws_col), max(1, Int(size.ws_row)))
        }

        /// Writes all of a text. What cannot be written is dropped: there is nobody left to tell.
        func write(_ text: String) {
            var text = text
            turn.withLock { _ in
                text.withUTF8 { bytes in
                    var rest = bytes[...]
                    while let start = UnsafeBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty {
                        let count = Glibc.write(descriptor, start, rest.count)
                        if count > 0 {
                            rest = rest.dropFirst(count)
                        } else if errno != EINTR {
                            return
                        }
                    }
                }
            }
        }
    }

    let output = Stream(descriptor: STDOUT_FILENO)
    let errors = Stream(descriptor: STDERR_FILENO)

    /// Prints a line of results.
    func print(_ line: String) { output.write(line.withoutControls + "\n") }

    /// Prints a line about something that went wrong.
    func complain(_ line: String) { errors.write("kuva: \(line.withoutControls)\n") }
}

extension String {
    /// The text with control characters replaced by `?`: names and messages may come from strangers, and a terminal
    /// obeys such characters.
    var withoutControls: String {
        guard unicodeScalars.contains(where: Self.isControl) else { return self }
        var result = ""
        result.unicodeScalars.append(contentsOf: unicodeScalars.map { Self.isControl($0) ? "?" : $0 })
        return result
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Marks that turn the direction of the text around them (UAX #9), which can make a name look like another.
        case 0x061C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069: return true
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }
}
