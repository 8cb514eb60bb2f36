internal import Glibc

/// Where a user's caches belong, by the XDG Base Directory Specification.
package enum CacheDirectory {
    /// `$XDG_CACHE_HOME/kuva` if that is an absolute path, else `$HOME/.cache/kuva`, else the home folder of the user
    /// database, else a folder of the user's own in `$TMPDIR` or `/tmp`.
    ///
    /// - Parameters:
    ///   - environment: gives the value of an environment variable.
    ///   - home: gives the home folder that the user database knows.
    package static func path(
        environment: (String) -> String?,
        home: () -> String?,
        user: UInt32
    ) -> String {
        if let caches = absolute(environment("XDG_CACHE_HOME")) { return joined(caches, "kuva") }
        if let home = absolute(environment("HOME")) ?? absolute(home()) { return joined(home, ".cache/kuva") }
        return joined(absolute(environment("TMPDIR")) ?? "/tmp", "kuva-\(user)")
    }

    package static func current() -> String {
        path(
            environment: { name in getenv(name).map { String(cString: $0) } },
            home: homeOfUser,
            user: geteuid()
        )
    }

    private static func absolute(_ path: String?) -> String? {
        guard let path, path.hasPrefix("/") else { return nil }
        return path
    }

    private static func joined(_ path: String, _ rest: String) -> String {
        path.hasSuffix("/") ? path + rest : "\(path)/\(rest)"
    }

    private static func homeOfUser() -> String? {
        var record = passwd()
        var result: UnsafeMutablePointer<passwd>?
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16 << 10) { buffer in
            guard let start = buffer.baseAddress,
                getpwuid_r(geteuid(), &record, start, buffer.count, &result) == 0, result != nil,
                let home = record.pw_dir
            else { return String?.none }
            return String(cString: home)
        }
    }
}
