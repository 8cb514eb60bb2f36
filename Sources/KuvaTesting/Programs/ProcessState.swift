internal import Foundation

/// What the running process holds. Tests run side by side in one process, so a test that asks whether its own work
/// leaves something behind does that work in a program of its own, and has it print this.
public enum ProcessState {
    /// Open file descriptors.
    public static var openDescriptorCount: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }
}
