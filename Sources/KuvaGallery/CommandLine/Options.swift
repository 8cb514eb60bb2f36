import FoundationEssentials

/// What the command line asks for.
struct Options {
    /// The texts of the URLs, in the order in which they are shown. Texts that are no URLs become error cells.
    var urls: [String] = []
    /// Where a picture of the window goes once everything that is visible is there.
    var screenshot: String?
    /// Where the table of the pictures goes at the end.
    var report: String?
    /// Whether the program ends once every picture has been loaded, or has failed.
    var quitsWhenLoaded = false
    /// Whether only the usage was asked for.
    var showsHelp = false

    /// The command line cannot be followed.
    struct UsageError: Error {
        let message: String
    }

    static let usage = """
        usage: kuva-gallery [OPTION…] URL…
               kuva-gallery [OPTION…] -f FILE

        Shows the pictures at the URLs (http, https, file) in a window.

          -f, --file FILE        read URLs from FILE, one a line; - is standard input; lines that start with # are skipped
              --screenshot FILE  write a PNG of the window once every visible picture is there, and quit
              --quit-when-loaded quit once every picture has come or failed
              --report FILE      write a line for each picture when the program ends:
                                 URL, bytes, tier (network, disk, memory, local or failed), milliseconds, error
          -h, --help             show this

        Exit status: 0 if all went well, 1 if a picture failed or a file could not be written, 2 for wrong usage.

        """

    /// Reads the arguments, the program's name left out, and the files that they name.
    init(arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        var takesOptions = true
        while let argument = rest.popFirst() {
            guard takesOptions, argument.hasPrefix("-"), argument != "-" else {
                urls.append(argument)
                continue
            }
            switch argument {
            case "--": takesOptions = false
            case "-h", "--help": showsHelp = true
            case "-f", "--file": urls += try Self.lines(of: Self.value(of: argument, &rest))
            case "--screenshot": screenshot = try Self.value(of: argument, &rest)
            case "--report": report = try Self.value(of: argument, &rest)
            case "--quit-when-loaded": quitsWhenLoaded = true
            default: throw UsageError(message: "there is no option \(argument)")
            }
        }
        guard showsHelp || !urls.isEmpty else {
            throw UsageError(message: "there is nothing to show: give URLs, or -f FILE")
        }
    }

    private static func value(of option: String, _ rest: inout ArraySlice<String>) throws(UsageError) -> String {
        guard let value = rest.popFirst(), !value.isEmpty else {
            throw UsageError(message: "\(option) needs a file name after it")
        }
        return value
    }

    private static func lines(of path: String) throws(UsageError) -> [String] {
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: path == "-" ? "/dev/stdin" : path))
        } catch {
            throw UsageError(message: "“\(path)” cannot be read; is it there, and may you read it?")
        }
        return String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline)
            .map { $0.trimmingCharacters(in: " \t") }
            .filter { !$0.isEmpty && !$0.hasPrefix("#") }
    }
}

extension Substring {
    fileprivate func trimmingCharacters(in characters: String) -> String {
        var text = self
        while let first = text.first, characters.contains(first) { text.removeFirst() }
        while let last = text.last, characters.contains(last) { text.removeLast() }
        return String(text)
    }
}
