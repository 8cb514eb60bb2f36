import BenchmarkKit
import CGTK
import Foundation
import KuvaMainLoop

/// The program behind `script/bench gtk`; it needs a display.
@main @MainActor
struct Main {
    static func main() {
        do {
            let options = try Options(CommandLine.arguments.dropFirst())
            guard gtk_init_check() != 0 else { throw Failure("there is no display; start it with xvfb-run") }
            MainLoop.attach()
            let contests = try GTKSuite.contests(options)
            try Report.run("gtk", contests.filter { $0.name.hasPrefix(options.only) }, options)
        } catch {
            Report.say("kuva-gtk-benchmarks: \(error)")
            exit(1)
        }
    }
}
