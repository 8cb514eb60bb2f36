/// What `script/bench` asks for; it has checked the form of its own arguments already.
package struct Options {
    package var suite = ""
    /// The folder with what was prepared.
    package var prepared = ""
    package var isQuick = false
    package var json: String?
    /// How the names of the cases start that are wanted.
    package var only = ""

    /// Measured runs of each contender.
    package var runs: Int { isQuick ? 5 : 9 }

    package init(_ arguments: some Sequence<String>) throws {
        var rest = Array(arguments)[...]
        func value(of option: String) throws -> String {
            guard let value = rest.popFirst() else { throw Failure("\(option) needs a value") }
            return value
        }
        while let argument = rest.popFirst() {
            switch argument {
            case "--quick": isQuick = true
            case "--only": only = try value(of: argument)
            case "--json": json = try value(of: argument)
            case "--prepared": prepared = try value(of: argument)
            default: suite = argument
            }
        }
    }
}

/// Why a measurement was not made.
package struct Failure: Error, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}
