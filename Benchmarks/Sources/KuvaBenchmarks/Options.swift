/// What `script/bench` asks for; it has checked the form of its own arguments already.
struct Options {
    var suite = ""
    /// The folder with what was prepared.
    var prepared = ""
    var isQuick = false
    var json: String?
    /// How the names of the cases start that are wanted.
    var only = ""

    /// Measured runs of each contender.
    var runs: Int { isQuick ? 5 : 9 }

    init(_ arguments: some Sequence<String>) throws {
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
