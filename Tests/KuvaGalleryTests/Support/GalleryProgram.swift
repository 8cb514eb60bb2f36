import Foundation
import KuvaTesting
import Testing

/// The gallery with a scratch folder of its own for its cache and its files.
struct GalleryProgram {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("kuva-gallery-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func file(_ name: String) -> URL { folder.appendingPathComponent(name) }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    /// Lines of a shell that open a display. The server itself finds a number that is free: `xvfb-run` looks for one and
    /// then takes it, and two at once may take the same.
    private static let display = """
        [ -p display ] || mkfifo display
        Xvfb -displayfd 3 -screen 0 1280x1024x24 -nolisten tcp 3>display 2>/dev/null & server=$!
        trap 'kill $server' EXIT
        read -r number <display
        export DISPLAY=:$number

        """

    /// Runs it to its end, on a display of its own where that can be: on a shared one its windows would lie over those of
    /// other tests, and take their clicks.
    ///
    /// - Parameter user: lines of a shell that drive it meanwhile; they need a display of its own.
    func run(
        _ arguments: [String],
        input: String = "",
        environment: [String: String] = [:],
        user: String? = nil
    ) async throws -> ExternalProgram.Outcome {
        let own = ["XDG_CACHE_HOME": file("cache").path, "GSK_RENDERER": "cairo", "GTK_A11Y": "none"]
        var program = ExternalProgram(built: "kuva-gallery")
        var arguments = arguments
        if environment["DISPLAY"] == nil, ExternalProgram(named: "Xvfb") != nil {
            let work = user.map { "\"$@\" & gallery=$!\n\($0)\nwait $gallery" } ?? "\"$@\""
            arguments = ["-ec", Self.display + work, "sh", program.path] + arguments
            program = ExternalProgram(path: "/bin/sh")
        }
        return try await program.run(
            arguments,
            input: Data(input.utf8),
            environment: own.merging(environment) { $1 },
            folder: folder
        )
    }

    /// The lines of its report, each as its fields.
    func report(_ name: String) throws -> [[String]] {
        try String(contentsOf: file(name), encoding: .utf8).split(separator: "\n").map { line in
            line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
    }
}

/// Another program's work: Pillow makes pictures of one colour, and counts colours in pictures.
struct Pillow {
    private let python: ExternalProgram

    /// `nil` if neither the first Python in the path nor that of the system has Pillow.
    init?() async throws {
        let candidates = [ExternalProgram(named: "python3"), ExternalProgram(path: "/usr/bin/python3")]
        for case let python? in candidates where try await python.run(["-c", "import PIL"]).status == 0 {
            self.python = python
            return
        }
        return nil
    }

    func make(_ colour: String, width: Int, height: Int, at file: URL) async throws {
        let image = "Image.new('RGB', (\(width), \(height)), '\(colour)')"
        _ = try await run("import sys; from PIL import Image; \(image).save(sys.argv[1])", file)
    }

    /// How many pixels of a picture have each of some colours, within 2 in each part.
    func count(_ colours: [[Int]], in file: URL) async throws -> [Int] {
        let script = """
            import sys; from PIL import Image
            pixels = list(Image.open(sys.argv[1]).convert('RGB').getdata())
            for colour in \(colours):
                print(sum(all(abs(a - b) <= 2 for a, b in zip(pixel, colour)) for pixel in pixels))
            """
        return try await run(script, file).split(separator: "\n").compactMap { Int($0) }
    }

    private func run(_ script: String, _ file: URL) async throws -> String {
        let outcome = try await python.run(["-c", script, file.path])
        try #require(outcome.status == 0, "\(outcome.errorText)")
        return outcome.outputText
    }
}

/// Whether the gallery can open a window here; without one its tests are skipped.
let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains {
    ProcessInfo.processInfo.environment[$0]?.isEmpty == false
}
