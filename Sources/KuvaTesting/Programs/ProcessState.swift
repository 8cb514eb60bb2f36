internal import Foundation
internal import Glibc

/// What the running process holds. Tests run side by side in one process, so a test that asks whether its own work
/// leaves something behind does that work in a program of its own, and has it print these.
public enum ProcessState {
    /// Whether the program was built with a sanitizer, which keeps books of its own in the same memory: what grows there says
    /// nothing of the program.
    public static var isSanitized: Bool {
        ["__tsan_init", "__asan_init"].contains { (name: String) in dlsym(nil, name) != nil }
    }

    /// Bytes of memory that are there, of all kinds (proc(5), `statm`: its second number, in pages).
    public static var residentByteCount: Int {
        let numbers = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
        return numbers.count > 1 ? (Int(numbers[1]) ?? 0) * Int(getpagesize()) : 0
    }

    /// Open file descriptors.
    public static var openDescriptorCount: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }
}
