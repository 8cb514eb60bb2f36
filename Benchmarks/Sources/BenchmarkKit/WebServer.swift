package import Foundation

/// An nginx of a suite's own on the loopback, for http and for https with HTTP/2.
package final class WebServer {
    private let folder: URL
    private let process = Process()
    private let plainPort: UInt16
    private let securePort: UInt16

    /// The certificate authority of the server's certificate.
    package var authority: String { folder.appending(path: "server.pem").path() }

    /// - Parameter fill: puts the files into the folder that is served.
    package init(fill: (URL) throws -> Void) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "kuva-bench-\(UUID().uuidString)")
        let root = folder.appending(path: "files")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        try fill(root)
        (plainPort, securePort) = (try Self.freePort(), try Self.freePort())
        try Self.run(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
                "-keyout", folder.appending(path: "server.key").path(), "-out", authority,
            ]
        )
        let file = folder.appending(path: "nginx.conf")
        try Data(configuration(root: root.path()).utf8).write(to: file)
        process.executableURL = URL(filePath: "/usr/sbin/nginx")
        process.arguments = ["-e", folder.appending(path: "error.log").path(), "-c", file.path()]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        for _ in 0..<500 where !Self.accepts(plainPort) { usleep(10_000) }
        guard Self.accepts(plainPort) else { throw Failure("nginx does not start; is nginx-light installed?") }
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    /// The address of the folder, without a slash at its end.
    package func address(isSecure: Bool = false) -> String {
        isSecure ? "https://127.0.0.1:\(securePort)" : "http://127.0.0.1:\(plainPort)"
    }

    private func configuration(root: String) -> String {
        let path = folder.path()
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(path)/\($0);" }
        return """
            \(getuid() == 0 ? "user root;" : "")
            daemon off;
            worker_processes 1;
            pid \(path)/nginx.pid;
            error_log \(path)/error.log crit;
            events { worker_connections 512; }
            http {
                access_log off;
                sendfile on;
                tcp_nopush on;
                keepalive_requests 1000000;
                open_file_cache max=4000;
                types { image/jpeg jpg; }
                \(temporary.joined(separator: "\n"))
                server {
                    listen 127.0.0.1:\(plainPort);
                    listen 127.0.0.1:\(securePort) ssl http2;
                    ssl_certificate \(path)/server.pem;
                    ssl_certificate_key \(path)/server.key;
                    http2_max_concurrent_streams 128;
                    root \(root);
                }
            }
            """
    }

    private static func run(_ tool: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: tool)
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure("\(tool) failed") }
    }

    private static func address(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        return address
    }

    private static func withSocket<R>(
        _ port: UInt16,
        _ body: (Int32, UnsafePointer<sockaddr>, inout socklen_t) -> R
    ) -> R {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = address(port)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body(descriptor, $0, &length) }
        }
    }

    private static func accepts(_ port: UInt16) -> Bool {
        withSocket(port) { descriptor, address, length in connect(descriptor, address, length) == 0 }
    }

    private static func freePort() throws -> UInt16 {
        let port = withSocket(0) { descriptor, address, length -> UInt16? in
            guard bind(descriptor, address, length) == 0,
                getsockname(descriptor, UnsafeMutablePointer(mutating: address), &length) == 0
            else { return nil }
            return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                UInt16(bigEndian: $0.pointee.sin_port)
            }
        }
        guard let port else { throw Failure("the system gives no port") }
        return port
    }
}
