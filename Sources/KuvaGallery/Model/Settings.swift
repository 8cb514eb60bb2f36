import CGTK
import FoundationEssentials

/// What the program remembers from one time to the next: how large its window was, and how it looked.
@MainActor
struct Settings {
    var width = 1_180
    var height = 720
    var isMaximised = false
    var cellWidth = 216
    var isDark = false

    private static let group = "Window"

    /// `$XDG_CONFIG_HOME/kuva-gallery.conf`, where GLib says that is.
    private static var path: String {
        "\(g_get_user_config_dir().map { String(cString: $0) } ?? ".")/kuva-gallery.conf"
    }

    /// What was written last; the defaults where nothing was, or where it makes no sense.
    static func read() -> Settings {
        var settings = Settings()
        guard let file = g_key_file_new() else { return settings }
        defer { g_key_file_unref(file) }
        guard g_key_file_load_from_file(file, path, GKeyFileFlags(rawValue: 0), nil) != 0 else { return settings }
        func number(_ key: String, _ range: ClosedRange<Int>, _ fallback: Int) -> Int {
            let value = Int(g_key_file_get_integer(file, group, key, nil))
            return range.contains(value) ? value : fallback
        }
        settings.width = number("Width", 320...16_384, settings.width)
        settings.height = number("Height", 240...16_384, settings.height)
        settings.cellWidth = number("CellWidth", 120...480, settings.cellWidth)
        settings.isMaximised = g_key_file_get_boolean(file, group, "Maximised", nil) != 0
        settings.isDark = g_key_file_get_boolean(file, group, "Dark", nil) != 0
        return settings
    }

    /// Writes it; a program that cannot remember works all the same.
    func write() {
        guard let file = g_key_file_new() else { return }
        defer { g_key_file_unref(file) }
        g_key_file_set_integer(file, Self.group, "Width", Int32(clamping: width))
        g_key_file_set_integer(file, Self.group, "Height", Int32(clamping: height))
        g_key_file_set_integer(file, Self.group, "CellWidth", Int32(clamping: cellWidth))
        g_key_file_set_boolean(file, Self.group, "Maximised", isMaximised ? 1 : 0)
        g_key_file_set_boolean(file, Self.group, "Dark", isDark ? 1 : 0)
        g_key_file_save_to_file(file, Self.path, nil)
    }
}
