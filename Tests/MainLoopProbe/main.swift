// A GLib program as a user writes one: synchronous main, bridge, loop. `swift test` cannot be one, since its main has
// given the main queue away, so the tests start this program once for each scenario and read what it prints.

let scenario = CommandLine.arguments.dropFirst().first.flatMap(Scenario.init(rawValue:))
scenario?.run()
