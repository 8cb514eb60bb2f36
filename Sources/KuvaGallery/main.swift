import CGTK
import Glibc
import Kuva
import KuvaPipeline

let options: Options
do {
    options = try Options(arguments: Array(CommandLine.arguments.dropFirst()))
} catch {
    StandardError.write("kuva-gallery: \(error.message)\n\n\(Options.usage)")
    exit(2)
}
if options.showsHelp {
    print(Options.usage, terminator: "")
    exit(0)
}
guard gtk_init_check() != 0 else {
    StandardError.write("kuva-gallery: there is no display; start it in a desktop session or with xvfb-run\n")
    exit(1)
}
// Alive until the end: its callbacks hold it weakly.
let app = App(options: options, manager: .shared)
exit(withExtendedLifetime(app) { app.run() })
