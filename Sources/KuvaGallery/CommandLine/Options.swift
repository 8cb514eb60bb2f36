import FoundationEssentials

/// What the command line asks for.
struct Options {
    /// What is in the window when a script's picture of it is taken.
    enum Scene: String, CaseIterable {
        /// The grid.
        case grid
        /// The first picture, as large as the window.
        case view
        /// The same, zoomed in.
        case zoom
        /// The same, with what is known about it.
        case info
        /// The grid, with what the caches hold.
        case cache
    }

    /// The texts of the URLs, in the order in which they are shown. Texts that are no URLs become error cells.
    var entries: [PictureEntry] = []
    /// Where a picture of the window goes once everything that is visible is there.
    var screenshot: String?
    /// What is in that picture.
    var scene = Scene.grid
    /// Where the table of the pictures goes at the end.
    var report: String?
    /// Whether the program ends once every picture has been loaded, or has failed.
    var quitsWhenLoaded = false
    /// Whether only the caches are used.
    var isOffline = false
    /// Whether the window is dark; `nil` for what was used last.
    var isDark: Bool?
    /// Whether only the usage was asked for.
    var showsHelp = false

    /// The command line cannot be followed.
    struct UsageError: Error {
        let message: String
    }

    static let usage = """
        usage: kuva-gallery [OPTION…] [URL or FOLDER…]
               kuva-gallery [OPTION…] -f FILE

        Shows the pictures at the URLs (http, https, file), or in the folders, in a window.

          -f, --file FILE        read pictures from FILE: a JSON Feed, an RSS or Atom feed, or URLs, one a line, where
                                 lines that start with # are skipped; - is standard input
              --offline          show only what is in the cache
              --dark, --light    how the window looks; by default as the last time
              --screenshot FILE  write a PNG of the window once every visible picture is there, and quit
              --state STATE      what is in it: grid, view, zoom, info or cache
              --quit-when-loaded quit once every picture has come or failed
              --report FILE      write a line for each picture when the program ends:
                                 URL, bytes, tier (network, disk, memory, local or failed), milliseconds, error
          -h, --help             show this

        Exit status: 0 if all went well, 1 if a picture failed or a file could not be written, 2 for wrong usage.

        """

    /// Whether a script waits for the program, so that it remembers nothing of its window.
    var isScripted: Bool { screenshot != nil || quitsWhenLoaded }

    /// Reads the arguments, the program's name left out, and the files that they name.
    init(arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        var takesOptions = true
        var namesPictures = false
        while let argument = rest.popFirst() {
            guard takesOptions, argument.hasPrefix("-"), argument != "-" else {
                namesPictures = true
                entries += PictureEntry.entries(named: argument)
                continue
            }
            switch argument {
            case "--": takesOptions = false
            case "-h", "--help": showsHelp = true
            case "-f", "--file":
                namesPictures = true
                entries += try Self.list(in: Self.value(of: argument, &rest))
            case "--offline": isOffline = true
            case "--dark": isDark = true
            case "--light": isDark = false
            case "--screenshot": screenshot = try Self.value(of: argument, &rest)
            case "--state": scene = try Self.scene(Self.value(of: argument, &rest))
            case "--report": report = try Self.value(of: argument, &rest)
            case "--quit-when-loaded": quitsWhenLoaded = true
            default: throw UsageError(message: "there is no option \(argument)")
            }
        }
        guard showsHelp || !entries.isEmpty || !(namesPictures || isScripted || report != nil) else {
            throw UsageError(message: "there is nothing to show: give URLs or folders, or -f FILE")
        }
    }

    private static func value(of option: String, _ rest: inout ArraySlice<String>) throws(UsageError) -> String {
        guard let value = rest.popFirst(), !value.isEmpty else {
            let kind = option == "--state" ? "state" : "file name"
            throw UsageError(message: "\(option) needs a \(kind) after it")
        }
        return value
    }

    private static func scene(_ name: String) throws(UsageError) -> Scene {
        guard let scene = Scene(rawValue: name) else {
            let names = Scene.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError(message: "there is no state \(name); the states are \(names)")
        }
        return scene
    }

    private static func list(in path: String) throws(UsageError) -> [PictureEntry] {
        do {
            let bytes = try Data(contentsOf: URL(filePath: path == "-" ? "/dev/stdin" : path))
            return try PictureFile.entries(in: bytes)
        } catch let error as PictureFile.Unreadable {
            throw UsageError(message: "“\(path)” is no feed that can be read: \(error.reason)")
        } catch {
            throw UsageError(message: "“\(path)” cannot be read; is it there, and may you read it?")
        }
    }
}
