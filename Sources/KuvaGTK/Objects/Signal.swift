internal import CGTK

/// Handlers of GObject signals, written as Swift closures.
///
/// GLib owns a handler's closure and frees it with the handler: when it is disconnected or its object goes. A closure
/// must therefore not hold its own object strongly. One C function stands for each signature.
@MainActor
package enum Signal {
    /// A handler that can be taken away while its object lives.
    package struct Connection {
        private let object: UnsafeMutableRawPointer
        private let id: UInt

        fileprivate init(object: UnsafeMutableRawPointer, id: UInt) {
            self.object = object
            self.id = id
        }

        /// Takes the handler away and frees its closure. The object must still live. GTK itself takes the handlers of
        /// what it has disposed of, such as the frame clock of a window that is gone.
        @MainActor
        package func disconnect() {
            if g_signal_handler_is_connected(object, id) != 0 { g_signal_handler_disconnect(object, id) }
        }
    }

    private final class Box<Handler> {
        let handler: Handler
        init(_ handler: Handler) { self.handler = handler }
    }

    /// Connects a handler that looks at no argument, whatever arguments the signal has.
    ///
    /// - Parameter after: whether the handler runs after the object's own.
    @discardableResult
    package static func connect(
        _ object: UnsafeMutableRawPointer,
        _ name: String,
        after: Bool = false,
        _ handler: @escaping @MainActor () -> Void
    ) -> Connection {
        typealias Function = @convention(c) (UnsafeMutableRawPointer?) -> Void
        let function: Function = { data in
            Signal.withHandler(data, as: (@MainActor () -> Void).self) { $0() }
        }
        return connect(object, name, after, Box(handler), unsafeBitCast(function, to: GCallback.self))
    }

    /// Connects a handler of a signal whose first argument is a pointer: an object, a string, a `GParamSpec`. It is not
    /// called if the pointer is null.
    ///
    /// - Parameter after: whether the handler runs after the object's own.
    @discardableResult
    package static func connect(
        _ object: UnsafeMutableRawPointer,
        _ name: String,
        after: Bool = false,
        _ handler: @escaping @MainActor (UnsafeMutableRawPointer) -> Void
    ) -> Connection {
        typealias Function = @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void
        let function: Function = { data, argument in
            guard let argument else { return }
            // Unsafe: the argument stays on the main thread, on which GTK makes the call.
            nonisolated(unsafe) let pointer = argument
            Signal.withHandler(data, as: (@MainActor (UnsafeMutableRawPointer) -> Void).self) { $0(pointer) }
        }
        return connect(object, name, after, Box(handler), unsafeBitCast(function, to: GCallback.self))
    }

    /// Connects a handler of a signal whose first argument is a whole number: a position, a number of clicks.
    @discardableResult
    package static func connect(
        _ object: UnsafeMutableRawPointer,
        _ name: String,
        after: Bool = false,
        _ handler: @escaping @MainActor (Int32) -> Void
    ) -> Connection {
        typealias Function = @convention(c) (UnsafeMutableRawPointer?, Int32) -> Void
        let function: Function = { data, number in
            Signal.withHandler(data, as: (@MainActor (Int32) -> Void).self) { $0(number) }
        }
        return connect(object, name, after, Box(handler), unsafeBitCast(function, to: GCallback.self))
    }

    /// Connects a handler of a signal with two numbers that answers whether it has dealt with it: a scroll.
    @discardableResult
    package static func connect(
        _ object: UnsafeMutableRawPointer,
        _ name: String,
        deciding handler: @escaping @MainActor (Double, Double) -> Bool
    ) -> Connection {
        typealias Function = @convention(c) (UnsafeMutableRawPointer?, Double, Double) -> Int32
        let function: Function = { data, first, second in
            Signal.withHandler(data, as: (@MainActor (Double, Double) -> Bool).self) { $0(first, second) ? 1 : 0 } ?? 0
        }
        return connect(object, name, false, Box(handler), unsafeBitCast(function, to: GCallback.self))
    }

    private static func connect<Handler>(
        _ object: UnsafeMutableRawPointer,
        _ name: String,
        _ after: Bool,
        _ box: Box<Handler>,
        _ function: GCallback
    ) -> Connection {
        let id = g_signal_connect_data(
            object,
            name,
            function,
            Unmanaged.passRetained(box).toOpaque(),
            { data, _ in
                guard let data else { return }
                Unmanaged<AnyObject>.fromOpaque(data).release()
            },
            // Swapped: the closure comes first, so that a function need not know how many arguments follow.
            GConnectFlags(rawValue: G_CONNECT_SWAPPED.rawValue | (after ? G_CONNECT_AFTER.rawValue : 0))
        )
        return Connection(object: object, id: UInt(id))
    }

    @discardableResult
    nonisolated private static func withHandler<Handler, Answer: Sendable>(
        _ data: UnsafeMutableRawPointer?,
        as type: Handler.Type,
        _ call: @MainActor (Handler) -> Answer
    ) -> Answer? {
        guard let data else { return nil }
        // Unsafe: GTK calls on the main thread, and there the box stays.
        nonisolated(unsafe) let pointer = data
        return MainActor.assumeIsolated {
            call(Unmanaged<Box<Handler>>.fromOpaque(pointer).takeUnretainedValue().handler)
        }
    }
}
