import Foundation
import KuvaTesting

/// A folder with a certificate authority made for one test, a certificate of it for this machine, and an nginx that
/// speaks HTTP/2 with it on 127.0.0.1 and ::1.
final class SecureServer {
    static let isPossible = ["/usr/bin/openssl", "/usr/sbin/nginx", "/bin/bash"].allSatisfy(Tool.isInstalled)

    let folder: URL
    private(set) var port = 0
    var authority: String { folder.appending(path: "ca.pem").path() }

    /// Starts a server of the files given.
    init(files: [String: Data]) async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "secure-\(UUID().uuidString)")
        let root = folder.appending(path: "root")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        for (name, data) in files { try data.write(to: root.appending(path: name)) }
        try await makeCertificates()
        // Another connection may take the port before the server does.
        for _ in 1...10 {
            port = try LoopbackServer.urlOfClosedPort().port ?? 0
            try Data(configuration(root: root.path()).utf8).write(to: folder.appending(path: "nginx.conf"))
            // It listens when the command that starts it has ended.
            if (try? await start()) != nil { return }
        }
        throw Tool.Failed(status: 1)
    }

    deinit {
        guard let text = try? String(contentsOf: folder.appending(path: "nginx.pid"), encoding: .utf8),
            let pid = Int32(text.trimmingCharacters(in: .whitespacesAndNewlines))
        else { return }
        kill(pid, SIGTERM)
        try? FileManager.default.removeItem(at: folder)
    }

    func url(_ path: String, host: String = "127.0.0.1") -> URL {
        // A text that is always a URL.
        URL(string: "https://\(host):\(port)/\(path)")!
    }

    /// Starts the server, which must not take along the descriptors of this process: who waits for another program,
    /// or for the end of a pipe, would wait for the server.
    private func start() async throws {
        let configuration = folder.appending(path: "nginx.conf").path()
        let log = folder.appending(path: "error.log").path()
        let script = """
            for file in /proc/$$/fd/*; do n=${file##*/}; if [ "$n" -gt 2 ]; then eval "exec $n>&-"; fi; done
            exec /usr/sbin/nginx -e "$1" -c "$2" </dev/null >/dev/null 2>&1
            """
        _ = try await Tool.run("/bin/bash", ["-c", script, "bash", log, configuration])
    }

    private func configuration(root: String) -> String {
        let path = folder.path()
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(path)/\($0);" }
        return """
            \(getuid() == 0 ? "user root;" : "")
            worker_processes 1;
            pid \(path)/nginx.pid;
            error_log \(path)/error.log;
            events { worker_connections 256; }
            http {
                access_log \(path)/access.log;
                types { image/jpeg jpg; }
                \(temporary.joined(separator: "\n"))
                server {
                    listen 127.0.0.1:\(port) ssl http2;
                    listen [::1]:\(port) ssl http2;
                    ssl_certificate \(path)/server.pem;
                    ssl_certificate_key \(path)/server.key;
                    root \(root);
                }
            }
            """
    }

    private func makeCertificates() async throws {
        func openssl(_ arguments: [String]) async throws {
            _ = try await Tool.run("/usr/bin/openssl", arguments)
        }
        let path = folder.path()
        let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        try await openssl(
            ["req", "-x509"] + key
                + ["-keyout", "\(path)/ca.key", "-out", "\(path)/ca.pem", "-days", "2", "-subj", "/CN=Test authority"]
        )
        try await openssl(
            ["req"] + key + ["-keyout", "\(path)/server.key", "-out", "\(path)/server.csr", "-subj", "/CN=localhost"]
        )
        try Data("subjectAltName=IP:127.0.0.1,IP:::1,DNS:localhost\n".utf8)
            .write(to: folder.appending(path: "names"))
        try await openssl([
            "x509", "-req", "-in", "\(path)/server.csr", "-CA", "\(path)/ca.pem", "-CAkey", "\(path)/ca.key",
            "-CAcreateserial", "-days", "2", "-out", "\(path)/server.pem", "-extfile", "\(path)/names",
        ])
    }
}
