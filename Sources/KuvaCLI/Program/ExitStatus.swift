/// What the program tells the one that started it.
enum ExitStatus: Int32 {
    /// Everything went well.
    case succeeded = 0
    /// Something did not.
    case failed = 1
    /// The command line made no sense.
    case misused = 2
}
