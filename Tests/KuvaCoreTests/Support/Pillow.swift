import Foundation

/// Runs a script with the first Python that has Pillow; the oracle for what Pillow does.
enum Pillow {
    private static let python = Python(running: "import PIL.Image")

    /// Whether there is one.
    static var isAvailable: Bool { python != nil }

    /// What `script` writes to the file named by its second argument, given `input` in the file named by its first.
    static func run(_ script: String, input: Data) throws -> Data {
        guard let python else { throw Python.Failure() }
        return try python.run(script, input: input)
    }
}
