import CGTK
import KuvaGTK
import Testing

/// An adjustment is the simplest object with signals; it needs no display.
@MainActor
@Suite("Signals", .serialized)
struct SignalTests {
    private final class Witness {
        var count = 0
        var name = ""
    }

    private func makeAdjustment() -> UnsafeMutableRawPointer {
        let adjustment = UnsafeMutableRawPointer(gtk_adjustment_new(0, 0, 10, 1, 1, 1)!)
        return g_object_ref_sink(adjustment)
    }

    private func set(_ value: Double, _ adjustment: UnsafeMutableRawPointer) {
        gtk_adjustment_set_value(adjustment.assumingMemoryBound(to: GtkAdjustment.self), value)
    }

    @Test func handlersAreCalledWithTheirArgument() {
        let adjustment = makeAdjustment()
        defer { g_object_unref(adjustment) }
        let witness = Witness()
        Signal.connect(adjustment, "value-changed") { witness.count += 1 }
        Signal.connect(adjustment, "notify::value") { (argument: UnsafeMutableRawPointer) in
            let property = argument.assumingMemoryBound(to: GParamSpec.self)
            witness.name = String(cString: g_param_spec_get_name(property))
        }
        set(1, adjustment)
        set(2, adjustment)
        #expect(witness.count == 2)
        #expect(witness.name == "value")
    }

    @Test func disconnectingEndsTheCallsAndFreesTheClosure() {
        let adjustment = makeAdjustment()
        defer { g_object_unref(adjustment) }
        weak var freed: Witness?
        let connection: Signal.Connection
        do {
            let witness = Witness()
            freed = witness
            connection = Signal.connect(adjustment, "value-changed") { witness.count += 1 }
        }
        set(1, adjustment)
        #expect(freed?.count == 1)
        connection.disconnect()
        #expect(freed == nil)
        set(2, adjustment)
    }

    @Test func theEndOfTheObjectFreesTheClosure() {
        let adjustment = makeAdjustment()
        weak var freed: Witness?
        do {
            let witness = Witness()
            freed = witness
            Signal.connect(adjustment, "value-changed") { witness.count += 1 }
        }
        #expect(freed != nil)
        g_object_unref(adjustment)
        #expect(freed == nil)
    }
}
