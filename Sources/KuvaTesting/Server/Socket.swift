internal import FoundationEssentials
internal import Glibc
internal import KuvaCore

/// A non-blocking TCP socket with one owner.
struct Socket: ~Copyable, Sendable {
    let descriptor: Int32

    init(owning descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// A shared name for a listening socket, which a thread takes over.
    final class Listener: Sendable {
        let socket: Socket
        init(_ socket: consuming Socket) { self.socket = socket }
    }

    /// A socket that listens on 127.0.0.1, and the port that the kernel chose.
    static func listening() throws(ImageError) -> (socket: Listener, port: UInt16) {
        let flags = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let socket = Socket(owning: Glibc.socket(AF_INET, flags, 0))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(socket.descriptor, address, length) == 0
                    && listen(socket.descriptor, 512) == 0
                    && getsockname(socket.descriptor, address, &length) == 0
            }
        }
        guard status else {
            throw ImageError(.ioFailed, "no socket on 127.0.0.1: \(String(cString: strerror(errno)))")
        }
        return (Listener(socket), UInt16(bigEndian: address.sin_port))
    }

    /// The next connection, or `nil` if none waits.
    borrowing func acceptNext() -> Int32? {
        let descriptor = accept(descriptor, nil, nil)
        guard descriptor >= 0 else { return nil }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        return descriptor
    }

    /// Makes the close that follows a reset.
    borrowing func resetOnClose() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// Whether the other side has closed or broken the connection.
    borrowing func isPeerGone() -> Bool {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK))
        return count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)
    }

    /// Receives what has come; `nil` if nothing has yet, empty at the end.
    borrowing func receive() -> Data? {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count < 0 && (errno == EAGAIN || errno == EINTR) { return nil }
        return Data(buffer.prefix(max(0, count)))
    }

    /// Sends the start of `bytes` and returns how much of it went; `nil` if the connection is broken.
    borrowing func sendSome(_ bytes: Data) -> Int? {
        let count = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        if count < 0 { return errno == EAGAIN || errno == EINTR ? 0 : nil }
        return count
    }
}
